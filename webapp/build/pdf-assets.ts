import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const library = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
const { version } = JSON.parse(readFileSync(join(library, "package.json"), "utf8")) as { version: string };
const folders = ["cmaps", "standard_fonts", "wasm", "iccs"];

/** In the folder of files that are cached forever, which the version in the path allows. */
export const pdfAssetsPath = `assets/pdfjs-${version}/`;

/**
 * Files that pdf.js loads on demand (character maps, standard fonts, image decoders, colour profiles), served from our
 * own origin at `import.meta.env.VITE_PDF_ASSETS`.
 */
export function servePdfAssets(): Plugin {
  return {
    name: "pdf-assets",
    config: () => ({ define: { "import.meta.env.VITE_PDF_ASSETS": JSON.stringify(`/${pdfAssetsPath}`) } }),
    configureServer({ middlewares }) {
      middlewares.use(`/${pdfAssetsPath}`, (request, response, next) => {
        const path = join(library, new URL(request.url ?? "/", "http://here").pathname);
        if (!path.startsWith(library) || !existsSync(path)) return next();
        response.setHeader("content-type", path.endsWith(".wasm") ? "application/wasm" : "application/octet-stream");
        createReadStream(path).pipe(response);
        return undefined;
      });
    },
    generateBundle() {
      // Prerendering does not need these files.
      if (this.environment.name !== "client") return;
      for (const folder of folders)
        for (const name of readdirSync(join(library, folder)))
          this.emitFile({
            type: "asset",
            fileName: `${pdfAssetsPath}${folder}/${name}`,
            source: readFileSync(join(library, folder, name)),
          });
    },
  };
}
