// How well articles are read: ARTICLE_PAGES names a folder of pages (NAME.html), each with a file of the words of its article
// (NAME.txt), or only of its first words (NAME.begin.txt). Prints the F1 of the words of each page, and the means.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { scriptOf } from "#tests/kit/script-of.ts";

interface Score {
  precision: number;
  recall: number;
}

const folder = process.env["ARTICLE_PAGES"] ?? "";
const print = (line: string) => process.stdout.write(`${line}\n`);
if (!existsSync(folder)) {
  print("  skipped: no pages here. Name a folder of them: ARTICLE_PAGES=/path/to/pages");
  process.exit(0);
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** The words of a text, in any script, with how often each occurs. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { segment, isWordLike } of segmenter.segment(text.toLowerCase()))
    if (isWordLike) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  return counts;
}

const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const f1 = ({ precision, recall }: Score) => (2 * precision * recall) / (precision + recall || 1);

function scoreOf(found: string, wanted: string): Score {
  const [ours, theirs] = [countWords(found), countWords(wanted)];
  let common = 0;
  for (const [word, count] of theirs) common += Math.min(count, ours.get(word) ?? 0);
  return { precision: common / (total(ours) || 1), recall: common / (total(theirs) || 1) };
}

const format = (value: number) => value.toFixed(3);
const printScore = (name: string, score: Score, isDoubtful: boolean) =>
  print(
    `  ${format(f1(score))}  P ${format(score.precision)}  R ${format(score.recall)}  ${name}${isDoubtful ? "  (doubtful)" : ""}`,
  );

const browser = await openBrowser();
const page = await browser.newPage();
await page.evaluate(await scriptOf(fileURLToPath(new URL("./article-parts.ts", import.meta.url))));
const whole: Score[] = [];
const beginnings: number[] = [];
for (const file of readdirSync(folder).filter((entry) => entry.endsWith(".html"))) {
  const name = basename(file, ".html");
  const path = (ending: string) => join(folder, `${name}.${ending}`);
  const read = await page.evaluate(
    (html) => {
      const { readWords } = globalThis as unknown as {
        readWords: (html: string, address: string) => Promise<{ text: string; isDoubtful: boolean }>;
      };
      return readWords(html, "http://pages.example.org/article");
    },
    readFileSync(path("html"), "utf8"),
  );
  const [words, beginning] = ["txt", "begin.txt"].map((ending) =>
    existsSync(path(ending)) ? readFileSync(path(ending), "utf8") : undefined,
  );
  if (words !== undefined) {
    const score = scoreOf(read.text, words);
    whole.push(score);
    printScore(name, score, read.isDoubtful);
  } else if (beginning !== undefined) beginnings.push(scoreOf(read.text, beginning).recall);
}
await browser.close();
const means: Score = {
  precision: mean(whole.map(({ precision }) => precision)),
  recall: mean(whole.map(({ recall }) => recall)),
};
const sorted = whole.map(f1).toSorted((a, b) => a - b);
print(
  `${whole.length} pages: F1 of the means ${format(f1(means))} (P ${format(means.precision)}, R ${format(means.recall)}), `,
);
print(`mean of the F1 ${format(mean(sorted))}, median ${format(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN)}`);
if (beginnings.length > 0)
  print(`${beginnings.length} pages of which the beginning is known: ${format(mean(beginnings))} of its words`);
