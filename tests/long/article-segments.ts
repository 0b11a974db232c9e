// Pages whose articles were marked by hand: the comparison set of the Go module github.com/markusmobius/go-trafilatura
// (Apache-2.0; pages and marks by A. Barbaresi and L. Kozmus, BBAW, and others that its README names).
// `go mod download github.com/markusmobius/go-trafilatura@v1.12.2` fetches it. It is read from Go's module folder; no part
// of it is stored here.
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const MODULE = "go/pkg/mod/github.com/markusmobius/go-trafilatura@v1.12.2";
const folder = process.env["ARTICLE_MODULE"] ?? join(homedir(), MODULE);

export interface MarkedPage {
  address: string;
  file: string;
  /** Words that are in its article. */
  within: string[];
  /** Words around the article: menus, other articles, notices of the site. */
  without: string[];
}

/** Parses a string literal of Go: raw between backquotes, otherwise with escapes that are the same in JSON. */
const parseLiteral = (token: string): string =>
  token.startsWith("`") ? token.slice(1, -1) : (JSON.parse(token.replaceAll("\t", "\\t")) as string);

const TOKEN = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|\/\/[^\n]*|[A-Za-z]+:|[{}]/g;

/** Reads the marks of every page from a table in the module's source. */
function readTable(source: string): MarkedPage[] {
  const pages: MarkedPage[] = [];
  let [depth, key, last]: [number, string, string] = [0, "", ""];
  for (const [token] of source.slice(source.indexOf("comparisonData")).matchAll(TOKEN)) {
    if (token.startsWith("//")) continue;
    if (token === "{") {
      depth += 1;
      if (depth === 2) pages.push({ address: last, file: "", within: [], without: [] });
    } else if (token === "}") depth -= 1;
    else if (token.endsWith(":")) key = token;
    else {
      last = parseLiteral(token);
      const page = pages.at(-1);
      if (!page || depth < 2) continue;
      if (key === "File:") page.file = last;
      if (key === "With:") page.within.push(last);
      if (key === "Without:") page.without.push(last);
    }
  }
  return pages;
}

const pathOf = (file: string) =>
  ["comparison", "mock"].map((part) => join(folder, "test-files", part, file)).find((path) => existsSync(path));

/** The marked pages; undefined if the module is not on this machine. */
export function readMarkedPages(): MarkedPage[] | undefined {
  const table = join(folder, "scripts/comparison/data.go");
  if (!existsSync(table)) return undefined;
  return readTable(readFileSync(table, "utf8")).filter(({ file }) => pathOf(file) !== undefined);
}

/** Decodes a page as UTF-8 if it is valid, or else with the encoding that the page names, by default windows-1252. */
export function markupOf({ file }: MarkedPage): string {
  const bytes = readFileSync(pathOf(file) ?? "");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const charset = /charset=["']?([\w-]+)/i.exec(bytes.subarray(0, 4096).toString("latin1"))?.[1] ?? "windows-1252";
    return new TextDecoder(charset.toLowerCase() === "utf-8" ? "windows-1252" : charset).decode(bytes);
  }
}

/** Seeded random numbers from 0 to 1 (mulberry32, T. Ettinger). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SEED = 7;

/** Splits the pages at random, always in the same way: rules may be tuned on the seen half; the held-out half is only measured. */
export function splitPages(pages: readonly MarkedPage[]): Record<"seen" | "held", MarkedPage[]> {
  const next = createRandom(SEED);
  const mixed = pages
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
    .map((page) => ({ page, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ page }) => page);
  const middle = Math.floor(mixed.length / 2);
  return { seen: mixed.slice(0, middle), held: mixed.slice(middle) };
}
