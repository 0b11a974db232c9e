import lighthouse from "lighthouse";
import type { Browser } from "puppeteer";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { type Bench, median, type Row } from "./row.ts";

const ROUNDS = 3;
/** A page of each kind that everybody can open. */
const addresses = [
  "/",
  "/pricing",
  "/features/flashcards",
  "/tools/citation-generator",
  "/blog/cards-worth-learning",
  "/help/cards/anki",
];
const goals = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 } as const;
const categories = Object.keys(goals) as (keyof typeof goals)[];

/** Public pages on a phone with a slow connection; the build enforces a separate budget for their scripts. */
export const bench: Bench = {
  name: "Web app",
  async run() {
    const server = await startServerProcess();
    const browser = await openBrowser();
    try {
      const rows: Row[] = [];
      for (const address of addresses) rows.push(...(await measure(browser, server.origin, address)));
      return rows;
    } finally {
      await browser.close();
      await server.dispose();
    }
  },
};

async function measure(browser: Browser, origin: string, address: string): Promise<Row[]> {
  const scores = new Map(categories.map((category) => [category, [] as number[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await browser.newPage();
    const result = await lighthouse(`${origin}${address}`, { logLevel: "error" }, undefined, page);
    for (const category of categories) scores.get(category)?.push((result?.lhr.categories[category]?.score ?? 0) * 100);
    await page.close();
  }
  return categories.map((category): Row => {
    const value = median(scores.get(category) ?? []);
    return {
      what: `Lighthouse mobile on ${address}, ${category}`,
      value,
      unit: "of 100",
      goal: `>= ${goals[category]}`,
    };
  });
}
