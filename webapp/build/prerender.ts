import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { findChunks, withImports } from "./chunks.ts";

type Render = (address: string) => Promise<{ body: string; head: string; title: string }>;

/**
 * Prerenders public pages as complete documents, each with the source files of its screen and layout. They are static
 * text and links and run no scripts. The page without content becomes `shell.html`, which the server sends for all
 * other addresses.
 */
export function prerender(pages: Readonly<Record<string, readonly string[]>>): Plugin {
  return {
    name: "prerender",
    apply: (config) => config.build?.ssr === undefined,
    writeBundle: {
      sequential: true,
      async handler(_, bundle) {
        const { config } = this.environment;
        const { root } = config;
        const folder = join(root, config.build.outDir);
        const shell = readFileSync(join(folder, "index.html"), "utf8");
        writeFileSync(join(folder, "shell.html"), shell);
        const built = join(folder, "..", "prerender");
        const render = await buildRenderer(root, built);
        for (const [address, screens] of Object.entries(pages)) {
          const { body, head, title } = await render(address);
          const page = withoutScripts(shell)
            .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>${head}`)
            .replace("</head>", () => `<style>${inlineStyles(bundle, screens)}</style></head>`)
            .replace('<div id="app"></div>', () => `<div id="app">${body}</div>`);
          writeFileSync(join(folder, address === "/" ? "index.html" : `${address.slice(1)}.html`), page);
        }
        rmSync(built, { recursive: true, force: true });
      },
    },
  };
}

const prefetch = (_: string, src: string) => `    <link rel="prefetch" crossorigin href="${src}">\n`;

/** The shell without styles and with its scripts only prefetched for the next screen. */
function withoutScripts(shell: string): string {
  return shell
    .replaceAll(/ *<link rel="stylesheet"[^>]*>\n/g, "")
    .replace(/ data-early="[^>]*"(?=>)/, "")
    .replace(/ *<script type="module"[^>]*src="([^"]*)"[^>]*><\/script>\n/, prefetch)
    .replaceAll(/ *<link rel="modulepreload"[^>]*href="([^"]*)"[^>]*>\n/g, prefetch);
}

/** Inlines the styles, so that the first response can be painted. */
function inlineStyles(bundle: Rolldown.OutputBundle, screens: readonly string[]): string {
  const entries = Object.values(bundle).filter((part) => part.type === "chunk" && part.isEntry);
  const roots = [...entries.filter((part) => part.type === "chunk"), ...(findChunks(bundle, screens) ?? [])];
  const names = withImports(bundle, roots).flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
  return [...new Set(names)].map((name) => assetText(bundle[name])).join("");
}

function assetText(part: Rolldown.OutputBundle[string] | undefined): string {
  if (part?.type !== "asset") throw new Error("A style sheet of the page is missing");
  return typeof part.source === "string" ? part.source : new TextDecoder().decode(part.source);
}

async function buildRenderer(root: string, outDir: string): Promise<Render> {
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
