// How well articles are read on pages that no rule of ours was chosen on, beside the two extractors alone: of the words marked
// by hand, how many that belong to an article are in what was read, and how many that do not. See article-segments.ts for
// the pages. ARTICLE_HALF=seen looks at the other half, on which rules may be chosen, and names what was missed there.
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "puppeteer";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { scriptOf } from "#tests/kit/script-of.ts";
import type { Readings } from "./article-parts.ts";
import { halves, type MarkedPage, markupOf, readMarkedPages } from "./article-segments.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const pages = readMarkedPages();
if (!pages) {
  print("  skipped: the pages are not here. go mod download github.com/markusmobius/go-trafilatura@v1.12.2");
  process.exit(0);
}

/** A little less than the rules came to when they were last counted (0.894): the two alone came to 0.882 and 0.871. */
const LEAST_F1 = 0.889;
/** Said by tests/long/run.ts. */
const FOUND_FAULTS = 3;
const LANES = 2;
const half = process.env["ARTICLE_HALF"] === "seen" ? "seen" : "held";

const names = ["ours", "readability", "defuddle"] as const;
type Name = (typeof names)[number];

interface Count {
  /** Marked words of articles that were read, and that were not. */
  found: number;
  missed: number;
  /** Marked words of surroundings that were read as well. */
  wrong: number;
}

const counts = Object.fromEntries(names.map((name) => [name, { found: 0, missed: 0, wrong: 0 }])) as Record<
  Name,
  Count
>;
/** Extractors break lines where they like: for all of them white space is one space. */
const evened = (text: string) => text.replaceAll(/\s+/g, " ");

function countOne(page: MarkedPage, read: Readings): void {
  for (const name of names) {
    const text = evened(read[name]);
    const has = (words: string) => text.includes(evened(words));
    const count = counts[name];
    const missed = page.within.filter((words) => !has(words));
    const wrong = page.without.filter(has);
    count.found += page.within.length - missed.length;
    count.missed += missed.length;
    count.wrong += wrong.length;
    if (name !== "ours" || half !== "seen") continue;
    for (const words of missed) print(`  missed ${page.file}${read.isDoubtful ? " (doubtful)" : ""}: ${words}`);
    for (const words of wrong) print(`  wrong  ${page.file}${read.isDoubtful ? " (doubtful)" : ""}: ${words}`);
  }
}

async function openReader(browser: Browser, script: string): Promise<Page> {
  const page = await browser.newPage();
  await page.evaluate(script);
  return page;
}

const browser = await openBrowser();
const script = await scriptOf(fileURLToPath(new URL("./article-parts.ts", import.meta.url)));
const waiting = halves(pages)[half];
const total = waiting.length;

async function readOnes(): Promise<void> {
  const reader = await openReader(browser, script);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const read = await reader.evaluate(
      (html, address) => {
        const { readAll } = globalThis as unknown as { readAll: (html: string, address: string) => Promise<Readings> };
        return readAll(html, address);
      },
      markupOf(next),
      next.address,
    );
    countOne(next, read);
  }
}

await Promise.all(Array.from({ length: LANES }, readOnes));
await browser.close();

const shown = (value: number) => value.toFixed(4);
const f1 = ({ found, missed, wrong }: Count) => (2 * found) / (2 * found + missed + wrong);
for (const name of names) {
  const { found, missed, wrong } = counts[name];
  const [precision, recall] = [found / (found + wrong), found / (found + missed)];
  print(
    `  ${shown(f1(counts[name]))}  P ${shown(precision)}  R ${shown(recall)}  ${name} (${missed} missed, ${wrong} wrong)`,
  );
}
print(`${total} pages of the half that is ${half === "seen" ? "looked at" : "never looked at"}`);
if (half === "held" && f1(counts.ours) < LEAST_F1) process.exit(FOUND_FAULTS);
