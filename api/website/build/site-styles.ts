import { posix } from "node:path";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "tailwindcss";

const ownStylesheets: Readonly<Record<string, string>> = {
  tailwindcss: "index.css",
  "tailwindcss/index.css": "index.css",
  "tailwindcss/preflight": "preflight.css",
  "tailwindcss/preflight.css": "preflight.css",
  "tailwindcss/theme": "theme.css",
  "tailwindcss/theme.css": "theme.css",
  "tailwindcss/utilities": "utilities.css",
  "tailwindcss/utilities.css": "utilities.css",
};

const readStylesheet = (name: string) =>
  readFileSync(fileURLToPath(import.meta.resolve(`tailwindcss/${name}`)), "utf8");

/** Anything that could be a utility class; the compiler ignores the rest. */
const CANDIDATE = /[^\s"'`<>={}()[\];,]*[a-z][\w-]*(?:\[[^\s"'`\]]*\])?[\w:./%!-]*/g;
const WORD = /[^\s"'`]+/g;
const MAX_CANDIDATES = 20_000;
const MAX_CANDIDATE_CHARS = 100;
/**
 * Longer words are not classes, even with brackets. The pattern takes far too long for them, for example for a DNA
 * sequence.
 */
const MAX_WORD_CHARS = 400;

function* readCandidates(text: string): Generator<string> {
  for (const [word] of text.matchAll(WORD)) {
    if (word.length > MAX_WORD_CHARS) continue;
    for (const [candidate] of word.matchAll(CANDIDATE)) if (candidate.length <= MAX_CANDIDATE_CHARS) yield candidate;
  }
}

function findCandidates(files: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  for (const [path, text] of files) {
    if (!/\.[jt]sx?$/.test(path)) continue;
    for (const candidate of readCandidates(text)) {
      found.add(candidate);
      if (found.size >= MAX_CANDIDATES) return [...found];
    }
  }
  return [...found];
}

function refuse(what: string): Promise<never> {
  return Promise.reject(new Error(`${what} is not available in a site`));
}

/** Compiles the stylesheets of a site; imports reach its own files and Tailwind, nothing else. */
export async function buildStyles(files: ReadonlyMap<string, string>, paths: readonly string[]): Promise<string> {
  if (paths.length === 0) return "";
  const css = paths.map((path) => `@import ${JSON.stringify(path)};`).join("\n");
  const compiler = await compile(css, {
    base: "/",
    loadStylesheet: async (name, base) => {
      const own = Object.hasOwn(ownStylesheets, name) ? ownStylesheets[name] : undefined;
      if (own !== undefined) return { path: `tailwind:${own}`, base: "/", content: readStylesheet(own) };
      const path = name.startsWith("/") ? posix.normalize(name) : posix.join(base, name);
      const content = path.endsWith(".css") ? files.get(path) : undefined;
      if (content === undefined) return refuse(`The stylesheet ${JSON.stringify(name.slice(0, 120))}`);
      return { path, base: posix.dirname(path), content };
    },
    loadModule: (name) => refuse(`The plug-in ${JSON.stringify(name.slice(0, 120))}`),
  });
  return compiler.build(findCandidates(files));
}
