// How much of an article is read, and how much beside it, on whole pages that no rule of ours was chosen on. The pages are
// the first 75 of the half that is never looked at (article-segments.ts). For each, a reader who knew no extractor marked
// every line of the article, and as neutral what two careful people may see either way: headline, byline, captions. Left
// out: two pages without text and the front page of a blog. The lines are those of article-lines.ts.
//
// F1 as the benchmark of article extraction by Zyte (formerly Scrapinghub) counts it: sequences of four words, precision
// and recall of each page, the means of both, and F1 of the means.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { scriptOf } from "#tests/kit/script-of.ts";
import type { Line } from "./article-lines.ts";
import type { Readings } from "./article-parts.ts";
import { markupOf, readMarkedPages } from "./article-segments.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const pages = readMarkedPages();
if (!pages) {
  print("  skipped: the pages are not here. go mod download github.com/markusmobius/go-trafilatura@v1.12.2");
  process.exit(0);
}

type Ranges = [from: number, to: number][];
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const marks = JSON.parse(readFileSync(here("./article-marks.json"), "utf8")) as Record<string, [Ranges, Ranges]>;

/** The goal; the rules came to 0.966 when the pages were marked, the two extractors alone to 0.948 and 0.947. */
const LEAST_F1 = 0.95;
/** Said by tests/long/run.ts. */
const FOUND_FAULTS = 3;
const GRAM = 4;
/** Words of a neutral line that is removed. A shorter one, such as a date, stays: the article may contain its words. */
const LEAST_NEUTRAL = 3;

const segmenter = new Intl.Segmenter("und", { granularity: "word" });
const wordsOf = (text: string) =>
  [...segmenter.segment(text.toLowerCase())].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));

function gramsOf(words: readonly string[]): Map<string, number> {
  const grams = new Map<string, number>();
  for (let i = 0; i + GRAM <= Math.max(GRAM, words.length); i++) {
    const gram = words.slice(i, i + GRAM).join(" ");
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}

const placesOf = (words: readonly string[], line: readonly string[]) =>
  words.flatMap((_, at) => (line.every((word, i) => words[at + i] === word) ? [at] : []));

/** What was read without the neutral lines, unless the article holds the same words. */
function withoutNeutral(read: string[], neutral: readonly string[][], wanted: readonly string[]): string[] {
  let words = read;
  for (const line of neutral.toSorted((a, b) => b.length - a.length)) {
    const places = line.length < LEAST_NEUTRAL ? [] : placesOf(words, line);
    const [first] = places;
    if (first === undefined || places.length <= placesOf(wanted, line).length) continue;
    words = [...words.slice(0, first), ...words.slice(first + line.length)];
  }
  return words;
}

interface Score {
  precision: number;
  recall: number;
}

const total = (grams: ReadonlyMap<string, number>) => [...grams.values()].reduce((sum, count) => sum + count, 0);

function scoreOf(read: readonly string[], wanted: readonly string[]): Score {
  const [found, due] = [gramsOf(read), gramsOf(wanted)];
  let common = 0;
  for (const [gram, count] of due) common += Math.min(count, found.get(gram) ?? 0);
  return { precision: read.length === 0 ? 0 : common / total(found), recall: common / total(due) };
}

const f1 = ({ precision, recall }: Score) => (2 * precision * recall) / (precision + recall || 1);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const meanOf = (scores: readonly Score[]): Score => ({
  precision: mean(scores.map(({ precision }) => precision)),
  recall: mean(scores.map(({ recall }) => recall)),
});
const shown = (value: number) => value.toFixed(3);

const names = ["ours", "readability", "defuddle"] as const;
const scores = { ours: [] as Score[], readability: [] as Score[], defuddle: [] as Score[] };

const browser = await openBrowser();
const page = await browser.newPage();
for (const part of ["./article-lines.ts", "./article-parts.ts"]) await page.evaluate(await scriptOf(here(part)));
for (const each of pages) {
  const marked = marks[each.file];
  if (!marked) continue;
  const { lines, read } = await page.evaluate(
    async (html, address) => {
      const { readLines, readAll } = globalThis as unknown as {
        readLines: (html: string) => Line[];
        readAll: (html: string, address: string) => Promise<Readings>;
      };
      return { lines: readLines(html), read: await readAll(html, address) };
    },
    markupOf(each),
    each.address,
  );
  const [wanted = [], neutral = []] = marked.map((ranges) =>
    ranges.flatMap(([from, to]) => lines.slice(from, to + 1).map(({ text }) => wordsOf(text))),
  );
  const due = wanted.flat();
  for (const name of names) scores[name].push(scoreOf(withoutNeutral(wordsOf(read[name]), neutral, due), due));
}
await browser.close();

for (const name of names) {
  const { precision, recall } = meanOf(scores[name]);
  const poor = scores[name].filter((score) => f1(score) < 0.8).length;
  print(
    `  ${shown(f1({ precision, recall }))}  P ${shown(precision)}  R ${shown(recall)}  ${name} (${poor} pages below 0.8)`,
  );
}
print(`${scores.ours.length} whole pages, marked by hand`);
if (f1(meanOf(scores.ours)) < LEAST_F1) process.exit(FOUND_FAULTS);
