import type { Plugin, Rolldown } from "vite";
import { withImports } from "./chunks.ts";

interface Begun {
  /** How the addresses begin for which this is fetched. */
  address: string;
  /** The file that is run at once, and the screen's own: both without folder `webapp/`. */
  source: string;
  screen: string;
  /** How the names of the workers' files begin. */
  workers: readonly string[];
  /** The screen of `/page/`, whose files are only fetched: there are many, and each would wait for the one naming it. */
  page: string;
}

/**
 * Names files of the build to `boot.js`, which fetches and starts them for some addresses beside the app's own files and
 * not after them.
 */
export function early({ address, source, screen, workers, page }: Begun): Plugin {
  return {
    name: "early",
    apply: (config) => config.build?.ssr === undefined,
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const [run, shown, paged] = [chunkOf(bundle, source), chunkOf(bundle, screen), chunkOf(bundle, page)];
        if (!run || !shown || !paged) return html;
        const filesOf = (...starts: Rolldown.OutputChunk[]) =>
          withImports(bundle, starts).map(({ fileName }) => `/${fileName}`);
        const scripts = workers.flatMap(
          (name) => Object.keys(bundle).find((file) => file.startsWith(`assets/${name}`)) ?? [],
        );
        const told = {
          early: address,
          modules: filesOf(run, shown).join(" "),
          workers: scripts.map((file) => `/${file}`).join(" "),
          page: filesOf(paged).join(" "),
        };
        const data = Object.entries(told).map(([name, value]) => `data-${name}="${value}"`);
        return html.replace('src="/boot.js"', `src="/boot.js" ${data.join(" ")}`);
      },
    },
  };
}

function chunkOf(bundle: Rolldown.OutputBundle, source: string): Rolldown.OutputChunk | undefined {
  return Object.values(bundle).find(
    (part): part is Rolldown.OutputChunk =>
      part.type === "chunk" && part.facadeModuleId?.endsWith(`/webapp/${source}`) === true,
  );
}
