import { gzipSync } from "node:zlib";
import lighthouse from "lighthouse";
import type { Browser, ElementHandle } from "puppeteer";
import { corpusFiles } from "#tests/kit/corpus.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { type Bench, median, type Row } from "./row.ts";

const ROUNDS = 3;
/** One public page of each kind; these pages can be read without scripts. */
const addresses = [
  "/",
  "/pricing",
  "/features/flashcards",
  "/tools/citation-generator",
  "/blog/cards-worth-learning",
  "/help/cards/anki",
];
/** Screens of the app that visitors open. */
const screens = ["/login", "/register"];
const tools = ["/tools/pdf-to-flashcards", "/tools/study-schedule-generator"];
const KILOBYTE = 1024;
const PAGE_KILOBYTES = 60;
const TOOL_KILOBYTES = 100;
/** A chapter of twenty pages. */
const CHAPTER = { folder: "textbook", name: "07-cellular-respiration.pdf" };
/** The browser's processor is slowed down this many times. */
const CPU_SLOWDOWN = 4;
const FIRST_CARD_SECONDS = 6;
const CITATION_MS = 300;
const goals = { performance: 99, accessibility: 100, "best-practices": 100, seo: 100 } as const;
const SCREEN_PERFORMANCE = 95;
const categories = Object.keys(goals) as (keyof typeof goals)[];

/** Public pages on a phone with a slow connection; the build enforces a separate budget for their scripts. */
export const bench: Bench = {
  name: "Web app",
  async run() {
    const server = await startServerProcess();
    const browser = await openBrowser();
    try {
      const rows: Row[] = [];
      for (const address of [...addresses, ...tools]) rows.push(await measureScripts(server.origin, address));
      rows.push(...(await timeFirstCard(browser, server.origin)));
      rows.push(await timeCitation(browser, server.origin));
      for (const address of [...addresses, ...screens]) rows.push(...(await measure(browser, server.origin, address)));
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
    const isScreenSpeed = category === "performance" && screens.includes(address);
    const goal = `>= ${isScreenSpeed ? SCREEN_PERFORMANCE : goals[category]}`;
    return { what: `Lighthouse mobile on ${address}, ${category}`, value, unit: "of 100", goal };
  });
}

/** The gzip size of the scripts that a page loads before the visitor does anything. */
async function measureScripts(origin: string, address: string): Promise<Row> {
  const html = await (await fetch(origin + address)).text();
  const files = new Set([...html.matchAll(/["\s](\/assets\/[^"\s]+\.js)(?=["\s])/g)].map(([, file = ""]) => file));
  let bytes = 0;
  for (const file of files) bytes += gzipSync(await (await fetch(origin + file)).arrayBuffer()).length;
  const goal = address.startsWith("/tools/") ? TOOL_KILOBYTES : PAGE_KILOBYTES;
  return { what: `Scripts on ${address}, gzip`, value: bytes / KILOBYTE, unit: "KB", goal: `<= ${goal}` };
}

async function timeFirstCard(browser: Browser, origin: string): Promise<Row[]> {
  const path = corpusFiles(CHAPTER.folder).find((file) => file.endsWith(CHAPTER.name));
  if (path === undefined) return [];
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.goto(`${origin}/tools/pdf-to-flashcards`);
    await page.waitForSelector("#tool[data-ready]");
    await page.emulateCPUThrottling(CPU_SLOWDOWN);
    const input = await page.waitForSelector("input[type=file]");
    const startedAt = performance.now();
    await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
    await page.waitForSelector(".tool-card");
    times.push((performance.now() - startedAt) / 1000);
    await context.close();
  }
  const what = `First card of a 20-page PDF in the browser, ${CPU_SLOWDOWN}× slower`;
  return [{ what, value: median(times), unit: "s", goal: `<= ${FIRST_CARD_SECONDS}` }];
}

/** From pressing Enter to the entry in the list, in a style that is already loaded. */
async function timeCitation(browser: Browser, origin: string): Promise<Row> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.goto(`${origin}/tools/citation-generator`);
  await page.waitForSelector("#tool[data-ready]");
  const times: number[] = [];
  // The first citation loads the style.
  for (let count = 1; count <= ROUNDS + 1; count += 1) {
    await page.locator(".citation-lookup textarea").fill(`@book{b, title = {Volume ${count}}, year = 2020}`);
    const startedAt = performance.now();
    await page.keyboard.press("Enter");
    await page.waitForSelector(`.citation-list > li:nth-child(${count})`);
    if (count > 1) times.push(performance.now() - startedAt);
  }
  await context.close();
  return { what: "A citation in a loaded style", value: median(times), unit: "ms", goal: `<= ${CITATION_MS}` };
}
