import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const MIN_SIZE_BYTES = 1024;

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
          if (!/\.(m?js|css|html|svg|txt|json|webmanifest|xml)$/.test(name)) continue;
          const bytes = readFileSync(join(folder, name));
          if (bytes.length < MIN_SIZE_BYTES) continue;
          writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
          writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
        }
      },
    },
  };
}
