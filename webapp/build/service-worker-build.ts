import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "vite";

/**
 * Files that are cached only after first use. The common KaTeX fonts are not among them, because cards must work
 * offline.
 */
const onDemand =
  /^assets\/pdfjs-|\.(ttf|woff|wasm|map)$|KaTeX_(?!(?:Main-Regular|Math-Italic|Size\d-Regular)-[^.]*\.woff2$)/;

/** Builds the service worker with the list of files it precaches. */
export function buildServiceWorker(): Plugin {
  return {
    name: "shell-worker",
    apply: (config) => config.build?.ssr === undefined,
    writeBundle: {
      sequential: true,
      async handler(_, bundle) {
        const { config } = this.environment;
        const { root } = config;
        const folder = join(root, config.build.outDir);
        const names = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !onDemand.test(name));
        const files = ["shell.html", "boot.js", "favicon.svg", "manifest.webmanifest", ...names.toSorted()];
        const hash = createHash("sha256")
          .update(files.join("\n"))
          .update(readFileSync(join(folder, "index.html")));
        await build({
          configFile: false,
          root,
          publicDir: false,
          logLevel: "warn",
          define: {
            SHELL_FILES: JSON.stringify(files.map((name) => `/${name}`)),
            SHELL_VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)),
          },
          build: {
            outDir: folder,
            emptyOutDir: false,
            target: "es2022",
            rollupOptions: {
              input: join(root, "offline/shell-worker.ts"),
              output: { entryFileNames: "shell-worker.js" },
            },
          },
        });
      },
    },
  };
}
