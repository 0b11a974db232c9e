import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const MIN_SIZE_BYTES = 1024;
/** Above this size the last level of Brotli takes seconds and saves little. */
const LARGE_BYTES = 1024 * 1024;
const LARGE_QUALITY = 9;

/** Writes gzip and Brotli versions of each text file, so that the server need not compress per request. */
export function compressFiles(): Plugin {
  let folder = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir);
    },
    writeBundle: {
      order: "post",
      sequential: true,
      handler() {
        for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
          // The server completes the public pages (in a folder whose name starts with a dot) and compresses them
          // itself.
          if (name.startsWith(".")) continue;
          if (!/\.(m?js|css|html|svg|txt|json|webmanifest|xml)$/.test(name)) continue;
          const bytes = readFileSync(join(folder, name));
          if (bytes.length < MIN_SIZE_BYTES) continue;
          const quality = bytes.length > LARGE_BYTES ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY;
          writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
          writeFileSync(
            join(folder, `${name}.br`),
            brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
          );
        }
      },
    },
  };
}
