// How much of an article is read, and how much text around it, on whole held-out pages: the first 75 of the held-out half of
// article-segments.ts, without two pages that have no text and the front page of a blog. A reader who did not know the
// extractors marked every line of the article. Lines on which careful readers may disagree (headline, byline, captions) are
// marked as neutral. article-lines.ts defines the lines.
//
// F1 is counted as in the benchmark of article extraction by Zyte (formerly Scrapinghub): precision and recall of sequences
// of four words on each page, the means of both, and the F1 of the means.
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
const pathTo = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const marks = JSON.parse(readFileSync(pathTo("./article-marks.json"), "utf8")) as Record<string, [Ranges, Ranges]>;

/** The goal. When the pages were marked, we reached 0.966, and the two extractors alone 0.948 and 0.947. */
const MIN_F1 = 0.95;
/** The exit code that tests/long/run.ts understands as "found faults". */
const FOUND_FAULTS = 3;
const GRAM = 4;
/** Shorter neutral lines, such as a date, are not removed, because the article may contain their words. */
const MIN_NEUTRAL_WORDS = 3;

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

const positionsOf = (words: readonly string[], line: readonly string[]) =>
  words.flatMap((_, at) => (line.every((word, i) => words[at + i] === word) ? [at] : []));

/** Removes the neutral lines from the words that were read, except where the article contains the same words. */
function removeNeutral(read: string[], neutral: readonly string[][], wanted: readonly string[]): string[] {
  let words = read;
  for (const line of neutral.toSorted((a, b) => b.length - a.length)) {
    const positions = line.length < MIN_NEUTRAL_WORDS ? [] : positionsOf(words, line);
    const [first] = positions;
    if (first === undefined || positions.length <= positionsOf(wanted, line).length) continue;
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
  const [found, expected] = [gramsOf(read), gramsOf(wanted)];
  let common = 0;
  for (const [gram, count] of expected) common += Math.min(count, found.get(gram) ?? 0);
  return { precision: read.length === 0 ? 0 : common / total(found), recall: common / total(expected) };
}

const f1 = ({ precision, recall }: Score) => (2 * precision * recall) / (precision + recall || 1);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const meanOf = (scores: readonly Score[]): Score => ({
  precision: mean(scores.map(({ precision }) => precision)),
  recall: mean(scores.map(({ recall }) => recall)),
});
const format = (value: number) => value.toFixed(3);

const names = ["ours", "readability", "defuddle"] as const;
const scores = { ours: [] as Score[], readability: [] as Score[], defuddle: [] as Score[] };

const browser = await openBrowser();
const page = await browser.newPage();
for (const part of ["./article-lines.ts", "./article-parts.ts"]) await page.evaluate(await scriptOf(pathTo(part)));
for (const markedPage of pages) {
  const marked = marks[markedPage.file];
  if (!marked) continue;
  const { lines, read } = await page.evaluate(
    async (html, address) => {
      const { readLines, readAll } = globalThis as unknown as {
        readLines: (html: string) => Line[];
        readAll: (html: string, address: string) => Promise<Readings>;
      };
      return { lines: readLines(html), read: await readAll(html, address) };
    },
    markupOf(markedPage),
    markedPage.address,
  );
  const [wanted = [], neutral = []] = marked.map((ranges) =>
    ranges.flatMap(([from, to]) => lines.slice(from, to + 1).map(({ text }) => wordsOf(text))),
  );
  const article = wanted.flat();
  for (const name of names) scores[name].push(scoreOf(removeNeutral(wordsOf(read[name]), neutral, article), article));
}
await browser.close();

for (const name of names) {
  const { precision, recall } = meanOf(scores[name]);
  const poor = scores[name].filter((score) => f1(score) < 0.8).length;
  print(
    `  ${format(f1({ precision, recall }))}  P ${format(precision)}  R ${format(recall)}  ${name} (${poor} pages below 0.8)`,
  );
}
print(`${scores.ours.length} whole pages, marked by hand`);
if (f1(meanOf(scores.ours)) < MIN_F1) process.exit(FOUND_FAULTS);
