import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { createApp } from "#api/app.ts";
import { assemble } from "#api/assemble.ts";
import { systemClock } from "#api/clock.ts";
import { createLog } from "#api/log.ts";
import { readSettings } from "#api/settings.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { createNotePage } from "#api/pages/create/create-note-page.ts";
import { t } from "#shared/messages/translate.ts";
import { openBrowser } from "../tests/kit/browser/browser.ts";
import { type Bench, median, type Row } from "./row.ts";

const DOCUMENTS = Number(process.env["SEARCH_DOCUMENTS"] ?? 100_000);
const BATCH_SIZE = 500;
const QUESTIONS = 200;
const WORDS_EACH = 30;
const VOCABULARY = 30_000;

/** Seeded random numbers (mulberry32), the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru pla ste tri".split(
  " ",
);

/** A pronounceable word, always the same for its number. */
function buildWord(n: number): string {
  let word = "";
  for (let left = n + SYLLABLES.length * SYLLABLES.length; left > 0; left = Math.floor(left / SYLLABLES.length))
    word += SYLLABLES[left % SYLLABLES.length] ?? "";
  return word;
}

/** Words with a natural distribution (Zipf). */
const randomText = (next: () => number) =>
  Array.from({ length: WORDS_EACH }, () => buildWord(Math.floor(VOCABULARY ** next()))).join(" ");

async function fill(own: Own): Promise<string[]> {
  const next = createRandom(11);
  const texts: string[] = [];
  const base = { createdAt: 0, modifiedAt: 0, createdBy: "", lastOpenedAt: null, version: 1 };
  for (let first = 0; first < DOCUMENTS; first += BATCH_SIZE) {
    const notes = Array.from({ length: Math.min(BATCH_SIZE, DOCUMENTS - first) }, (_, at) => {
      const text = randomText(next);
      if ((first + at) % Math.ceil(DOCUMENTS / QUESTIONS) === 0) texts.push(text);
      const [pageId, _id] = [`bench-page-${first + at}`, `bench-text-${first + at}`];
      const metadata = { indents: 0, highlightColor: null };
      const content = { text: [{ content: text }], subType: "normal" as const, metadata };
      const components = [{ ...base, _id, pageId, type: "text" as const, content }];
      return { pageId, title: `Page ${first + at}`, emoji: null, components, order: [_id], now: first + at + 1 };
    });
    await Promise.all(notes.map((note) => createNotePage(own, note)));
  }
  return texts;
}

/** The word with two letters swapped. */
const misspell = (word: string) => word.slice(0, 2) + word.charAt(3) + word.charAt(2) + word.slice(4);

/** Complete words, unfinished words, and words with a typo. */
function buildQueries(texts: readonly string[]): { whole: string[]; unfinished: string[]; misspelled: string[] } {
  const wordLists = texts.map((text) => text.split(" ").toSorted((a, b) => b.length - a.length));
  return {
    whole: wordLists.map((words) => words.slice(0, 3).join(" ")),
    unfinished: wordLists.map((words) => `${words[0]} ${words[1]?.slice(0, 3)}`),
    misspelled: wordLists.map((words) => misspell(words[0] ?? "")),
  };
}

type Search = (q: string) => Promise<unknown>;

async function measure(what: string, questions: readonly string[], search: Search): Promise<Row[]> {
  const times: number[] = [];
  for (const q of questions) {
    const startedAt = performance.now();
    await search(q);
    times.push(performance.now() - startedAt);
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  return [
    { what: `${what}, p50`, value: median(times), unit: "ms", goal: "reported" },
    { what: `${what}, p95`, value: p95, unit: "ms", goal: "<= 50" },
  ];
}

/** Records, for each letter, the time of the frame that shows its results. */
async function watchSearch(page: Page): Promise<void> {
  await page.evaluate((busy) => {
    const times: number[] = [];
    Object.assign(globalThis, { searchTimes: times });
    const status = document.querySelector(".search-state");
    document.addEventListener("input", ({ timeStamp }) => {
      // After the screen has handled the input event.
      queueMicrotask(() => {
        const checkFrame = () => {
          if (status?.textContent === busy) {
            requestAnimationFrame(checkFrame);
            return;
          }
          const channel = new MessageChannel();
          channel.port1.addEventListener("message", () => times.push(performance.now() - timeStamp));
          channel.port1.start();
          channel.port2.postMessage(0);
        };
        requestAnimationFrame(checkFrame);
      });
    });
  }, t("library.search_busy"));
}

const TYPED_WORDS = 30;

/** From each letter to the frame with its results; the next letter is typed when they are visible. */
async function typeSearches(origin: string, token: string, words: readonly string[]): Promise<Row[]> {
  const browser = await openBrowser();
  try {
    await browser.setCookie({ name: "lamplight_token", value: token, domain: "127.0.0.1", path: "/" });
    const page = await browser.newPage();
    await page.goto(`${origin}/search`, { waitUntil: "load" });
    await page.waitForSelector(".search-option", { timeout: 120_000 });
    await watchSearch(page);
    let typed = 0;
    for (const word of words.slice(0, TYPED_WORDS)) {
      await page.evaluate(() => document.querySelector<HTMLInputElement>(".search input")?.select());
      for (const letter of word) {
        await page.keyboard.type(letter);
        typed += 1;
        await page.waitForFunction(
          (count) => (globalThis as unknown as { searchTimes: number[] }).searchTimes.length >= count,
          {},
          typed,
        );
      }
    }
    const times = await page.evaluate(() => (globalThis as unknown as { searchTimes: number[] }).searchTimes);
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
    const what = `${DOCUMENTS.toLocaleString("en")} pages of one account: from a letter to the frame with its results`;
    return [
      { what: `${what}, p50`, value: median(times), unit: "ms", goal: "reported" },
      { what: `${what}, p95`, value: p95, unit: "ms", goal: "<= 100" },
    ];
  } finally {
    await browser.close();
  }
}

/** Search over HTTP in an account with a hundred thousand pages. */
export const bench: Bench = {
  name: "search",
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), "lamplight-bench-"));
    const env = { NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR: dataDir, RATE_LIMIT_FACTOR: "100000" };
    const settings = readSettings(env);
    const running = await assemble(settings, { clock: systemClock, log: createLog(settings.LOG_LEVEL) });
    const server = createApp({ deps: running.deps, webFolder: "dist/web" });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    let token = "";
    const client = createClient(v1, fetchTransport({ origin, token: () => token || undefined }));
    try {
      const account = { name: "Ada", email: "ada@example.org", password: "a lamp upon the desk" };
      const registered = await client.auth.register(account);
      token = registered.token;
      await client.user.saveSettings({ onboardingComplete: true });
      const texts = await fill(ownedBy(running.deps.store, registered.user._id));
      const startedAt = performance.now();
      while ((await client.library.search({ q: "anything" })).unread > 0) await pause(2000);
      const readMs = performance.now() - startedAt;
      const search: Search = (q) => client.library.search({ q });
      const { whole, unfinished, misspelled } = buildQueries(texts);
      const accountLabel = `${DOCUMENTS.toLocaleString("en")} pages of one account`;
      return [
        { what: `${accountLabel}: indexed completely`, value: readMs / 1000, unit: "s", goal: "reported" },
        ...(await measure(`${accountLabel}: three words over HTTP`, whole, search)),
        ...(await measure(`${accountLabel}: a word and a prefix`, unfinished, search)),
        ...(await measure(`${accountLabel}: a misspelt word`, misspelled, search)),
        ...(await typeSearches(origin, token, unfinished)),
      ];
    } finally {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await running.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
