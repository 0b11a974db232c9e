import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build, minify, type Plugin, type Rolldown } from "vite";
import type { BuiltPage, BuiltSite, SiteAssets } from "./built-site.ts";
import { withImports } from "./chunks.ts";
import { leanTagger } from "./lean-tagger.ts";
import { pdfAssetsPath } from "./pdf-assets.ts";
import { copyPreviewFont, drawPreviews } from "./previews.ts";
import { withoutJsonSchema } from "./without-json-schema.ts";
import { writeStyleLibrary } from "./style-library.ts";
import { zodWithoutEval } from "./zod-without-eval.ts";

interface Options {
  /** Scripts of pages by name, relative to `webapp/`. */
  entries: Readonly<Record<string, string>>;
  /** The style sheet of every page, relative to `webapp/`. */
  css: string;
  /**
   * Style sheets of entries, relative to `webapp/`. They are inlined, so scripts do not import them: the browser would fetch
   * them again before the first module that is loaded later, and that module would fail without a network.
   */
  styles: Readonly<Record<string, string>>;
  /** Parts of the names of the fonts for the first paint. */
  fonts: readonly string[];
  /** Gzipped bytes of scripts that a page may load, by entry; `""` is for pages with other entries. */
  budget: Readonly<Record<string, number>>;
}

/** The folder of the pages in the built web app. Because of its dot it is not served as static files. */
const SITE_FOLDER = ".site";
const KILOBYTE = 1024;

/**
 * Builds the public pages: complete documents in every language. They have their own style sheet and scripts, so that
 * they do not add to the app's bundle and do not load the app. `api/http/site/public-pages.ts` serves them.
 */
export function publicPages(options: Options): Plugin {
  return {
    name: "public-pages",
    apply: (config) => config.build?.ssr === undefined,
    writeBundle: {
      sequential: true,
      async handler() {
        const { config } = this.environment;
        const { root } = config;
        const folder = join(root, config.build.outDir);
        writeFileSync(join(folder, "shell.html"), readFileSync(join(folder, "index.html")));
        const assets = await buildAssets(root, folder, options);
        const { renderSite } = await buildRenderer(root, join(folder, "..", "prerender"));
        const site = renderSite(assets);
        for (const message of checkBudgets(site.pages, assets, folder, options.budget)) this.error(message);
        writeSite(join(folder, SITE_FOLDER), site);
        writeFileSync(join(folder, SITE_FOLDER, "boot.js"), assets.boot);
        copyPreviewFont(join(folder, SITE_FOLDER));
        await drawPreviews(folder, site.pages);
        this.info(`${site.pages.length} public pages`);
      },
    },
  };
}

function writeSite(folder: string, { pages, shells, search, seedPosts, starter }: BuiltSite): void {
  for (const { path, language, html } of pages) {
    const file = join(folder, language, `${path === "/" ? "index" : path.slice(1)}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, html);
  }
  const list = pages.map(({ path, language, title, date }) => ({ path, language, title, date }));
  writeFileSync(join(folder, "pages.json"), JSON.stringify(list));
  for (const [language, articles] of Object.entries(search))
    writeFileSync(join(folder, language, "search.json"), JSON.stringify(articles));
  for (const { language, name, html } of shells) {
    mkdirSync(join(folder, language, "shells"), { recursive: true });
    writeFileSync(join(folder, language, "shells", `${name}.html`), html);
  }
  writeFileSync(join(folder, "seed-posts.json"), JSON.stringify(seedPosts));
  writeFileSync(join(folder, "starter.json"), JSON.stringify(starter));
}

/** An error message for each page whose scripts exceed the budget. */
function checkBudgets(
  pages: readonly BuiltPage[],
  assets: SiteAssets,
  folder: string,
  budget: Options["budget"],
): string[] {
  const sizeOf = (address: string) => gzipSync(readFileSync(join(folder, address))).length;
  const bootSize = gzipSync(assets.boot).length;
  return pages.flatMap(({ path, scripts }) => {
    const files = new Set(scripts.flatMap((entry) => assets.scripts[entry] ?? []));
    const size = [...files].reduce((sum, file) => sum + sizeOf(file), bootSize);
    const allowed = budget[scripts[0] ?? ""] ?? budget[""] ?? 0;
    const message = `${path} loads ${(size / KILOBYTE).toFixed(1)} KB of scripts (gzip), ${allowed / KILOBYTE} KB allowed`;
    return size > allowed ? [message] : [];
  });
}

/** The name of the input for an entry's style sheet. */
const stylesName = (entry: string) => `${entry}-styles`;

const plugins = () => [leanTagger(), withoutJsonSchema(), zodWithoutEval()];

async function buildAssets(root: string, folder: string, options: Options): Promise<SiteAssets> {
  const styles = Object.entries(options.styles).map(([name, file]) => [stylesName(name), file] as const);
  const inputs = { site: options.css, ...Object.fromEntries(styles), ...options.entries };
  const input = Object.entries(inputs).map(([name, file]): [string, string] => [name, join(root, file)]);
  const output = await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "warn",
    define: {
      "import.meta.env.VITE_PDF_ASSETS": JSON.stringify(`/${pdfAssetsPath}`),
      "import.meta.env.VITE_STYLES": JSON.stringify(`/${writeStyleLibrary(root, folder)}`),
      "import.meta.env.VITE_RECOGNITION": JSON.stringify(`/${copyLanguageData(folder)}`),
    },
    plugins: plugins(),
    worker: { format: "es", plugins },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rollupOptions: { input: Object.fromEntries(input) },
    },
  });
  const parts = (Array.isArray(output) ? output : [output]).flatMap((result) =>
    "output" in result ? result.output : [],
  );
  const bundle = Object.fromEntries(parts.map((part) => [part.fileName, part]));
  return readAssets(bundle, await minifyBoot(folder), options);
}

/** Minifies the script for inlining. The app's document links to the script as a file instead. */
async function minifyBoot(folder: string): Promise<string> {
  const { code } = await minify("boot.js", readFileSync(join(folder, "boot.js"), "utf8"));
  return code.trim();
}

/** The text recogniser expects a file name without a hash, so the version is in the folder's name. */
function copyLanguageData(folder: string): string {
  const manifest = createRequire(import.meta.url).resolve("@tesseract.js-data/eng/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const path = `assets/recognition-${version}`;
  const name = "eng.traineddata.gz";
  mkdirSync(join(folder, path), { recursive: true });
  copyFileSync(join(dirname(manifest), "4.0.0_best_int", name), join(folder, path, name));
  return path;
}

function readAssets(bundle: Rolldown.OutputBundle, boot: string, { entries, styles, fonts }: Options): SiteAssets {
  const chunks = Object.values(bundle).filter((part) => part.type === "chunk");
  const entryOf = (name: string) => {
    const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === name);
    if (!entry) throw new Error(`The entry ${name} of the public pages was not built`);
    return entry;
  };
  const rulesOf = (name: string) => {
    const part = Object.values(bundle).find(
      (one) => one.fileName.startsWith(`assets/${name}-`) && one.fileName.endsWith(".css"),
    );
    if (part?.type !== "asset") throw new Error(`The style sheet ${name} of the public pages was not built`);
    return String(part.source).trim();
  };
  const names = Object.keys(entries);
  return {
    css: rulesOf("site"),
    boot,
    fonts: Object.keys(bundle)
      .filter((file) => file.endsWith(".woff2") && fonts.some((name) => file.includes(`/${name}-`)))
      .map((file) => `/${file}`),
    scripts: Object.fromEntries(
      names.map((name) => [name, withImports(bundle, [entryOf(name)]).map(({ fileName }) => `/${fileName}`)]),
    ),
    styles: Object.fromEntries(Object.keys(styles).map((name) => [name, rulesOf(stylesName(name))])),
  };
}

async function buildRenderer(root: string, outDir: string): Promise<{ renderSite: (assets: SiteAssets) => BuiltSite }> {
  await build({
    configFile: false,
    root,
    logLevel: "warn",
    publicDir: false,
    build: {
      ssr: "marketing/site/render.tsx",
      outDir,
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: "render.mjs" } },
    },
  });
  const renderer = (await import(pathToFileURL(join(outDir, "render.mjs")).href)) as {
    renderSite: (assets: SiteAssets) => BuiltSite;
  };
  rmSync(outDir, { recursive: true, force: true });
  return renderer;
}
