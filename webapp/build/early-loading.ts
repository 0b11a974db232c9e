import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { withImports } from "./chunks.ts";
import { BOOT, MAIN, PRELOADED, toDataAttributes } from "./shell-tags.ts";

interface EarlyOptions {
  /** Prefix of the addresses for which the files are loaded early. */
  address: string;
  /** The module to run immediately, relative to `webapp/`. */
  source: string;
  /** The module of the screen, relative to `webapp/`. */
  screen: string;
  /** Prefix of the worker's file name. */
  worker: string;
  /** The module of the `/page/` screen, whose chunks are only prefetched to avoid a chain of requests. */
  page: string;
}

/**
 * Passes chunk names to `boot.js`, which loads and runs these chunks for some addresses, in parallel with the app's own
 * files. Addresses of documents are served `document.html`, in which `boot.js` decides when the app starts. If that
 * file is not available, such as offline, the shell is opened instead, in which both start at once.
 */
export function loadEarly({ address, source, screen, worker, page }: EarlyOptions): Plugin {
  let folder = "";
  let workerFile = "";
  let [earlyFiles, laterFiles]: [string[], string[]] = [[], []];
  return {
    name: "early",
    apply: (config) => config.build?.ssr === undefined,
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir);
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const [run, screenChunk, pageChunk] = [
          findChunk(bundle, source),
          findChunk(bundle, screen),
          findChunk(bundle, page),
        ];
        if (!run || !screenChunk || !pageChunk) return html;
        const filesOf = (...roots: Rolldown.OutputChunk[]) =>
          withImports(bundle, roots).map(({ fileName }) => `/${fileName}`);
        earlyFiles = filesOf(run);
        const all = filesOf(run, screenChunk);
        laterFiles = all.filter((file) => !earlyFiles.includes(file));
        workerFile = `/${Object.keys(bundle).find((file) => file.startsWith(`assets/${worker}`))}`;
        const bootData = {
          early: address,
          modules: all.join(" "),
          worker: workerFile,
          page: filesOf(pageChunk).join(" "),
        };
        return html.replace('src="/boot.js"', `src="/boot.js" ${toDataAttributes(bootData)}`);
      },
    },
    writeBundle: {
      sequential: true,
      handler() {
        const html = readFileSync(join(folder, "index.html"), "utf8");
        const [, main] = MAIN.exec(html) ?? [];
        if (main === undefined || earlyFiles.length === 0) return this.error("index.html has no module script");
        // The preloaded files include the app's fonts.
        const preloaded = [...html.matchAll(PRELOADED)].map(([, file = ""]) => file);
        const app = [main, ...new Set([...preloaded, ...laterFiles])].filter((file) => !earlyFiles.includes(file));
        const bootData = { early: address, modules: earlyFiles.join(" "), worker: workerFile, app: app.join(" ") };
        // These files are preloaded before anything else.
        const preloadTags = earlyFiles.map((file) => `    <link rel="modulepreload" crossorigin href="${file}">\n`);
        const document = html
          .replace(MAIN, "")
          .replaceAll(PRELOADED, "")
          .replace(BOOT, `    <script src="/boot.js" ${toDataAttributes(bootData)}></script>\n${preloadTags.join("")}`);
        writeFileSync(join(folder, "document.html"), document);
        return undefined;
      },
    },
  };
}

function findChunk(bundle: Rolldown.OutputBundle, source: string): Rolldown.OutputChunk | undefined {
  return Object.values(bundle).find(
    (part): part is Rolldown.OutputChunk =>
      part.type === "chunk" && part.facadeModuleId?.endsWith(`/webapp/${source}`) === true,
  );
}
