import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import type { PrerenderedForm } from "./built-site.ts";
import { findChunks, withImports } from "./chunks.ts";
import { BOOT, MAIN, PRELOADED, STYLES, toDataAttributes } from "./shell-tags.ts";

interface Options {
  /** The module that renders the forms, relative to `webapp/`. */
  renderer: string;
  /** The screens and their layout, whose styles are inlined; relative to `webapp/`, without extension. */
  screens: readonly string[];
}

/** Hides a form in another language than the app's until the app has started. */
const HIDDEN = ".early-hidden #early{display:none}";

/**
 * Builds a document for each form that visitors open first. The first paint needs no second request, and the app takes
 * over the typed values (`webapp/app/early-form.ts`). The documents are stored beside the public pages, with which they
 * share their first script.
 */
export function prerenderForms({ renderer, screens }: Options): Plugin {
  return {
    name: "prerendered-forms",
    apply: (config) => config.build?.ssr === undefined,
    writeBundle: {
      sequential: true,
      async handler(_, bundle) {
        const { config } = this.environment;
        const folder = join(config.root, config.build.outDir);
        const site = join(folder, ".site");
        const shell = readFileSync(join(folder, "shell.html"), "utf8");
        const boot = readFileSync(join(site, "boot.js"), "utf8");
        const assets = readAssets(bundle, shell, screens);
        if (assets === undefined) return this.error("A screen of the prerendered forms was not built");
        for (const form of await renderForms(config.root, renderer, join(folder, "..", "prerender-forms"))) {
          mkdirSync(join(site, form.language), { recursive: true });
          writeFileSync(
            join(site, form.language, `${form.path.slice(1)}.html`),
            toDocument(shell, form, { ...assets, boot }),
          );
        }
        return undefined;
      },
    },
  };
}

interface Assets {
  css: string;
  /** The scripts that the app and the screens load, separated by spaces; the app's own module comes first. */
  app: string;
}

function readAssets(bundle: Rolldown.OutputBundle, shell: string, screens: readonly string[]): Assets | undefined {
  const chunks = findChunks(bundle, screens);
  const entry = bundle[MAIN.exec(shell)?.[1]?.slice(1) ?? ""];
  if (chunks === undefined || entry?.type !== "chunk") return undefined;
  const all = withImports(bundle, [entry, ...chunks]);
  // The app's own rules come first, as in the app's document.
  const ownStyles = [...shell.matchAll(STYLES)].map(([, file = ""]) => file);
  const styles = new Set([...ownStyles, ...all.toReversed().flatMap(stylesOf)]);
  const css = [...styles]
    .map((file) => bundle[file])
    .map((part) => (part?.type === "asset" ? String(part.source) : ""));
  return { css: css.join("").trim(), app: all.map(({ fileName }) => `/${fileName}`).join(" ") };
}

const stylesOf = (chunk: Rolldown.OutputChunk) => [...(chunk.viteMetadata?.importedCss ?? [])];

function toDocument(
  shell: string,
  { language, title, markup }: PrerenderedForm,
  { css, app, boot }: Assets & { boot: string },
): string {
  // The buttons of sign-in providers need the app, so the app waits only if no provider is configured (`fillPage`).
  const waits = '<!--unless PROVIDERS--> data-waits=""<!--/unless-->';
  const script = `<script ${toDataAttributes({ app, form: language })}${waits}>${boot}</script>`;
  return shell
    .replace(BOOT, () => `${script}<style>${css}${HIDDEN}</style>`)
    .replace(MAIN, "")
    .replaceAll(PRELOADED, (tag) => (tag.includes('as="font"') ? tag : ""))
    .replaceAll(STYLES, "")
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace(/<title>.*?<\/title>/, () => `<title>${title}</title>`)
    .replace('<div id="app">', () => `<div id="early">${markup}</div><div id="app">`);
}

async function renderForms(root: string, renderer: string, outDir: string): Promise<readonly PrerenderedForm[]> {
  await build({
    configFile: false,
    root,
    logLevel: "warn",
    publicDir: false,
    build: {
      ssr: renderer,
      outDir,
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: "render.mjs" } },
    },
  });
  const module = (await import(pathToFileURL(join(outDir, "render.mjs")).href)) as {
    renderForms: () => Promise<readonly PrerenderedForm[]>;
  };
  const forms = await module.renderForms();
  rmSync(outDir, { recursive: true, force: true });
  return forms;
}
