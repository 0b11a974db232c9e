// How well articles are read on held-out pages, compared with the two extractors alone. Of the words marked by hand, counts
// how many words of the article were read, and how many words around it. See article-segments.ts for the pages.
// ARTICLE_HALF=seen measures the development half, on which rules may be tuned, and prints what was missed there.
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "puppeteer";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { scriptOf } from "#tests/kit/script-of.ts";
import type { Readings } from "./article-parts.ts";
import { splitPages, type MarkedPage, markupOf, readMarkedPages } from "./article-segments.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const pages = readMarkedPages();
if (!pages) {
  print("  skipped: the pages are not here. go mod download github.com/markusmobius/go-trafilatura@v1.12.2");
  process.exit(0);
}

/** Slightly below our last measured value (0.894); the two extractors alone reached 0.882 and 0.871. */
const MIN_F1 = 0.889;
/** The exit code that tests/long/run.ts understands as "found faults". */
const FOUND_FAULTS = 3;
const LANES = 2;
const half = process.env["ARTICLE_HALF"] === "seen" ? "seen" : "held";

const names = ["ours", "readability", "defuddle"] as const;
type Name = (typeof names)[number];

interface Count {
  /** Marked words of articles: read, and missed. */
  found: number;
  missed: number;
  /** Marked words around the article that were read by mistake. */
  wrong: number;
}

const counts = Object.fromEntries(names.map((name) => [name, { found: 0, missed: 0, wrong: 0 }])) as Record<
  Name,
  Count
>;
/** Extractors break lines differently, so all white space becomes one space. */
const normaliseSpace = (text: string) => text.replaceAll(/\s+/g, " ");

function countPage(page: MarkedPage, read: Readings): void {
  for (const name of names) {
    const text = normaliseSpace(read[name]);
    const has = (words: string) => text.includes(normaliseSpace(words));
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
const waiting = splitPages(pages)[half];
const total = waiting.length;

async function readWaitingPages(): Promise<void> {
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
    countPage(next, read);
  }
}

await Promise.all(Array.from({ length: LANES }, readWaitingPages));
await browser.close();

const format = (value: number) => value.toFixed(4);
const f1 = ({ found, missed, wrong }: Count) => (2 * found) / (2 * found + missed + wrong);
for (const name of names) {
  const { found, missed, wrong } = counts[name];
  const [precision, recall] = [found / (found + wrong), found / (found + missed)];
  print(
    `  ${format(f1(counts[name]))}  P ${format(precision)}  R ${format(recall)}  ${name} (${missed} missed, ${wrong} wrong)`,
  );
}
print(`${total} pages of the ${half === "seen" ? "development" : "held-out"} half`);
if (half === "held" && f1(counts.ours) < MIN_F1) process.exit(FOUND_FAULTS);
