import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PRELUDE, withPrelude } from "./sandbox-script.ts";

/** A file as the sites' listener serves it. */
export interface ServedFile {
  type: string;
  body: string;
}

export type ServedFiles = ReadonlyMap<string, ServedFile>;

const KIT_FOLDER = join(import.meta.dirname, "..", "..", "..", "dist", "site-kit");
const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
  txt: "text/plain; charset=utf-8",
  md: "text/plain; charset=utf-8",
};

const asScript = (text: string): ServedFile => ({ type: types["js"] ?? "", body: withPrelude(text) });
const asStyles = (text: string): ServedFile => ({ type: types["css"] ?? "", body: text });

let kit: Promise<{ js: ServedFile; css: ServedFile }> | undefined;

/** The prebuilt packages, read once; all sites share them. */
async function readKit(): Promise<{ js: ServedFile; css: ServedFile }> {
  kit ??= Promise.all([
    readFile(join(KIT_FOLDER, "kit.js"), "utf8"),
    readFile(join(KIT_FOLDER, "kit.css"), "utf8"),
  ]).then(([js, css]) => ({ js: asScript(js), css: asStyles(css) }));
  try {
    return await kit;
  } catch (cause) {
    kit = undefined;
    throw new Error("dist/site-kit is missing: run node scripts/build-site-kit.mjs", { cause });
  }
}

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll(">", "&gt;");

function sitePage(title: string, policy: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy}<script>${PRELUDE}</script>
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="site.css">
<link rel="stylesheet" href="kit.css">
</head>
<body>
<div id="root"></div>
<script src="kit.js"></script>
<script src="site.js"></script>
</body>
</html>
`;
}

/** The parts of a built site. */
export interface BuiltSite {
  title: string;
  js: string;
  css: string;
  /** Files of `/public/`, by name. */
  assets: ReadonlyMap<string, string>;
}

/** The files of a site by name; `policy` goes into the page's head. */
export async function serveBuilt({ title, js, css, assets }: BuiltSite, policy = ""): Promise<ServedFiles> {
  const { js: kitJs, css: kitCss } = await readKit();
  const files = new Map<string, ServedFile>([
    ["", { type: "text/html; charset=utf-8", body: sitePage(title, policy) }],
    ["kit.js", kitJs],
    ["kit.css", kitCss],
    ["site.js", asScript(js)],
    ["site.css", asStyles(css)],
  ]);
  for (const [name, body] of assets) {
    const type = types[name.slice(name.lastIndexOf(".") + 1)];
    // A script must begin with the prelude, so scripts are not served as assets.
    if (type !== undefined && !name.endsWith(".js") && !files.has(name)) files.set(name, { type, body });
  }
  return files;
}

/**
 * The page around a site that is opened as a tab. The `frame-src` of this page keeps the frame from navigating to
 * another origin.
 */
export const wrapperPage = (src: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Website</title>
<style>html, body { height: 100%; margin: 0 } iframe { display: block; width: 100%; height: 100%; border: 0 }</style>
</head>
<body>
<iframe src="${escape(src)}" title="Website" sandbox="allow-scripts allow-forms allow-modals allow-downloads"></iframe>
</body>
</html>
`;
