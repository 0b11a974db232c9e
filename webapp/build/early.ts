import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { withImports } from "./chunks.ts";

interface Begun {
  /** How the addresses begin for which this is fetched. */
  address: string;
  /** The file that is run at once, and the screen's own: both without folder `webapp/`. */
  source: string;
  screen: string;
  /** How the name of the file begins that reads beside the screen's own thread. */
  worker: string;
  /** The screen of `/page/`, whose files are only fetched: there are many, and each would wait for the one naming it. */
  page: string;
}

const MAIN = / *<script type="module"[^>]*src="([^"]*)"[^>]*><\/script>\n/;
const PRELOADED = / *<link rel="(?:module)?preload"[^>]*href="([^"]*)"[^>]*>\n/g;
const BOOT = / *<script src="\/boot\.js"[^>]*><\/script>\n/;

/**
 * Names files of the build to `boot.js`, which fetches and starts them for some addresses beside the app's own files and
 * not after them. Documents are sent `document.html`, which leaves it to `boot.js` when the app itself begins; where it is
 * not at hand, as without a network, the shell serves and begins both at once.
 */
export function early({ address, source, screen, worker, page }: Begun): Plugin {
  let folder = "";
  let reader = "";
  let [first, rest]: [string[], string[]] = [[], []];
  return {
    name: "early",
    apply: (config) => config.build?.ssr === undefined,
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir);
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const [run, shown, paged] = [chunkOf(bundle, source), chunkOf(bundle, screen), chunkOf(bundle, page)];
        if (!run || !shown || !paged) return html;
        const filesOf = (...starts: Rolldown.OutputChunk[]) =>
          withImports(bundle, starts).map(({ fileName }) => `/${fileName}`);
        first = filesOf(run);
        const all = filesOf(run, shown);
        rest = all.filter((file) => !first.includes(file));
        reader = `/${Object.keys(bundle).find((file) => file.startsWith(`assets/${worker}`))}`;
        const told = { early: address, modules: all.join(" "), worker: reader, page: filesOf(paged).join(" ") };
        return html.replace('src="/boot.js"', `src="/boot.js" ${asData(told)}`);
      },
    },
    writeBundle: {
      sequential: true,
      handler() {
        const html = readFileSync(join(folder, "index.html"), "utf8");
        const [, main] = MAIN.exec(html) ?? [];
        if (main === undefined || first.length === 0) return this.error("The page names no app");
        // The fonts too: the first page has its own.
        const preloaded = [...html.matchAll(PRELOADED)].map(([, file = ""]) => file);
        const app = [main, ...new Set([...preloaded, ...rest])].filter((file) => !first.includes(file));
        const told = { early: address, modules: first.join(" "), worker: reader, app: app.join(" ") };
        // What it takes is asked for with the document itself, and before anything else.
        const asked = first.map((file) => `    <link rel="modulepreload" crossorigin href="${file}">\n`);
        const document = html
          .replace(MAIN, "")
          .replaceAll(PRELOADED, "")
          .replace(BOOT, `    <script src="/boot.js" ${asData(told)}></script>\n${asked.join("")}`);
        writeFileSync(join(folder, "document.html"), document);
        return undefined;
      },
    },
  };
}

const asData = (told: Record<string, string>) =>
  Object.entries(told)
    .map(([name, value]) => `data-${name}="${value}"`)
    .join(" ");

function chunkOf(bundle: Rolldown.OutputBundle, source: string): Rolldown.OutputChunk | undefined {
  return Object.values(bundle).find(
    (part): part is Rolldown.OutputChunk =>
      part.type === "chunk" && part.facadeModuleId?.endsWith(`/webapp/${source}`) === true,
  );
}
