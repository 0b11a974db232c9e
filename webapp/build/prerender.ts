import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { chunksOf, withImports } from "./chunks.ts";

type Render = (address: string) => Promise<{ body: string; head: string; title: string }>;

/**
 * Writes public pages as whole documents, each by the source files of its screen and layout, so that they can be read
 * before any script has run. The page without content becomes `shell.html`, which the server sends for every other
 * address.
 */
export function prerender(pages: Readonly<Record<string, readonly string[]>>): Plugin {
  let root = "";
  let folder = "";
  return {
    name: "prerender",
    apply: (config) => config.build?.ssr === undefined,
    configResolved: (config) => {
      root = config.root;
      folder = join(config.root, config.build.outDir);
    },
    writeBundle: {
      sequential: true,
      async handler(_, bundle) {
        const shell = readFileSync(join(folder, "index.html"), "utf8");
        writeFileSync(join(folder, "shell.html"), shell);
        const built = join(folder, "..", "prerender");
        const render = await rendererOf(root, built);
        for (const [address, screens] of Object.entries(pages)) {
          const { body, head, title } = await render(address);
          const page = shell
            .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>${head}`)
            .replace("</head>", () => `${filesOf(bundle, screens, shell)}</head>`)
            .replace('<div id="app"></div>', () => `<div id="app">${body}</div>`);
          writeFileSync(join(folder, address === "/" ? "index.html" : `${address.slice(1)}.html`), page);
        }
        rmSync(built, { recursive: true, force: true });
      },
    },
  };
}

/** The styles and scripts that a page's own chunks add to the shell's. */
function filesOf(bundle: Rolldown.OutputBundle, screens: readonly string[], shell: string): string {
  const chunks = withImports(bundle, chunksOf(bundle, screens) ?? []);
  const styles = new Set(chunks.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]));
  const links = [
    ...[...styles].map((file) => ({ file, rel: "stylesheet" })),
    ...chunks.map((chunk) => ({ file: chunk.fileName, rel: "modulepreload" })),
  ];
  return links
    .filter(({ file }) => !shell.includes(file))
    .map(({ file, rel }) => `<link rel="${rel}" crossorigin href="/${file}">`)
    .join("");
}

async function rendererOf(root: string, outDir: string): Promise<Render> {
  await build({
    configFile: false,
    root,
    logLevel: "warn",
    build: {
      ssr: "render.tsx",
      outDir,
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: "render.mjs" } },
    },
  });
  const { render } = (await import(pathToFileURL(join(outDir, "render.mjs")).href)) as { render: Render };
  return render;
}
