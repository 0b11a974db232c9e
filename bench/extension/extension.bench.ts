import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import type { Page } from "puppeteer";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { startLamplight, aLectureSite, connectExtension, openExtensionBrowser } from "#tests/kit/browser/extension.ts";
import {
  aCapture,
  waitUntilSaved,
  deleteCaptures,
  timeBareWrites,
  timeDrain,
  timeLongNote,
  timeLookups,
  timeWrites,
} from "./extension-disk.ts";
import { buildChapter, p95, buildPage, bundleParts, measureFootprint } from "./extension-browser.ts";
import { type Bench, median, type Row } from "../row.ts";

const FOLDER = "dist/extension/chrome";
const CAPTURES = 100;
const BLOCKS = 2000;
const WRITES = 200;
const OFFLINE = 1000;
const STORED_CAPTURES = 100_000;
const OVERLAPS = 10;
const READING_DELAY_MS = 450;
const MEGABYTE = 1_000_000;

function packageBytes(): number {
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(FOLDER, { recursive: true, encoding: "utf8" })) {
    const path = join(FOLDER, name);
    if (statSync(path).isFile()) files[name] = readFileSync(path);
  }
  return zipSync(files, { level: 9 }).length;
}

const button = (panel: Page, name: string) => panel.locator(`::-p-aria([name="${name}"][role="button"])`);

/**
 * Runs in the panel. Messages about the previous capture may still arrive, so only a message after which one more
 * capture is on disk counts.
 */
async function pressAndWait(): Promise<number> {
  const world = globalThis as { database?: Promise<IDBDatabase> };
  // Opened once, so that observing is not part of the measurement.
  world.database ??= new Promise((done) => {
    const openRequest = indexedDB.open("lamplight-captures");
    openRequest.onsuccess = () => done(openRequest.result);
  });
  const db = await world.database;
  const count = () =>
    new Promise<number>((done) => {
      const countRequest = db.transaction("captures").objectStore("captures").count();
      countRequest.onsuccess = () => done(countRequest.result);
    });
  const before = await count();
  const pressed = [...document.querySelectorAll("button")].find(
    (element) => element.textContent === "Save page as note",
  );
  const channel = new BroadcastChannel("lamplight");
  const durationMs = await new Promise<number>((done) => {
    const startedAt = performance.now();
    const checkCount = async (receivedAt: number) => {
      if ((await count()) > before) done(receivedAt - startedAt);
    };
    channel.addEventListener("message", ({ data }) => {
      if (data === "captures") void checkCount(performance.now());
    });
    pressed?.click();
  });
  channel.close();
  return durationMs;
}

/** Milliseconds from each click in the panel to the end of the capture's transaction. */
async function timeCaptures(panel: Page): Promise<number[]> {
  const confirmed: number[] = [];
  for (let n = 0; n < CAPTURES; n += 1) confirmed.push(await panel.evaluate(pressAndWait));
  return confirmed;
}

/**
 * The page's longest pause during a capture. The measuring loop occupies a core, so capture times are not taken here.
 */
async function timePauses(page: Page, panel: Page): Promise<number[]> {
  const blocked: number[] = [];
  for (let n = 0; n < CAPTURES; n += 1) {
    await page.evaluate(() => {
      const world = globalThis as { longest?: number };
      world.longest = 0;
      const channel = new MessageChannel();
      let last = performance.now();
      channel.port1.addEventListener("message", () => {
        const now = performance.now();
        world.longest = Math.max(world.longest ?? 0, now - last);
        last = now;
        if (world.longest >= 0) channel.port2.postMessage(0);
      });
      channel.port1.start();
      channel.port2.postMessage(0);
    });
    await panel.evaluate(pressAndWait);
    blocked.push(
      await page.evaluate(() => {
        const world = globalThis as { longest?: number };
        const { longest = 0 } = world;
        world.longest = -1e9;
        return longest;
      }),
    );
  }
  return blocked;
}

async function timeDrafts(page: Page, panel: Page): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < CAPTURES; n += 1) {
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#fact") ?? document.body));
    const durationMs = await panel.evaluate(
      () =>
        new Promise<number>((done) => {
          const pressed = [...document.querySelectorAll("button")].find(
            (element) => element.textContent === "Card from selection",
          );
          const startedAt = performance.now();
          const observer = new MutationObserver(() => {
            if (!document.querySelector(".draft textarea")) return;
            observer.disconnect();
            done(performance.now() - startedAt);
          });
          observer.observe(document.body, { subtree: true, childList: true });
          pressed?.click();
        }),
    );
    times.push(durationMs);
    await button(panel, "Discard").click();
    await panel.waitForFunction(() => document.querySelector(".draft") === null, { polling: 50 });
  }
  return times;
}

/** From the panel's navigation until its first button appears. */
async function timePanel(panel: Page): Promise<number[]> {
  const times: number[] = [];
  await panel.evaluateOnNewDocument(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(".capture-actions button")) return;
      observer.disconnect();
      Object.assign(globalThis, { interactiveAt: performance.now() });
    }).observe(document, { subtree: true, childList: true });
  });
  for (let n = 0; n < 7; n += 1) {
    await panel.reload();
    await panel.waitForFunction(() => "interactiveAt" in globalThis);
    times.push(await panel.evaluate(() => (globalThis as unknown as { interactiveAt: number }).interactiveAt));
  }
  return times;
}

const row = (what: string, value: number, unit: string, goal: string): Row => ({ what, value, unit, goal });
const against = (result: Row, reference: number): Row => ({ ...result, reference, ratio: result.value / reference });

/** Before connecting, nothing is sent, so only the gesture itself is timed. */
async function timeGestures(page: Page, panel: Page, origin: string): Promise<Row[]> {
  const rows: Row[] = [];
  await page.goto(`${origin}/two`);
  await page.bringToFront();
  const confirmed = await timeCaptures(panel);
  const blocked = await timePauses(page, panel);
  const baseline = await timeBareWrites(panel, 2 * MEGABYTE, CAPTURES);
  const captured = "gesture to confirmed capture of a page of 2 MB against writing it plainly";
  rows.push(against(row(`${captured}, p95`, p95(confirmed), "ms", "<= 100"), p95(baseline)));
  rows.push(against(row(`${captured}, median`, median(confirmed), "ms", "<= 100"), median(baseline)));
  rows.push(row("the page's main thread blocked meanwhile, p95", p95(blocked), "ms", "<= 100"));
  await page.goto(`${origin}/small`);
  const drafts = await timeDrafts(page, panel);
  rows.push(row("gesture to draft card, p95", p95(drafts), "ms", "<= 300"));
  rows.push(row("gesture to draft card, median", median(drafts), "ms", "<= 300"));
  return rows;
}

/** Times writes without the panel, as with a shortcut or menu, and while the panel renders its list after each write. */
async function timeQueue(panel: Page, script: string, accountId: string): Promise<Row[]> {
  const writes = (from: number) =>
    Array.from({ length: WRITES }, (_, n) => ({ ...aCapture(accountId, from + n), state: "draft" }));
  const shown = panel.url();
  await panel.goto(shown.replace("sidepanel", "options"));
  await panel.evaluate(script);
  const withoutPanel = await timeWrites(panel, writes(900_000));
  await deleteCaptures(panel);
  await panel.goto(shown);
  await panel.evaluate(script);
  const withPanel = await timeWrites(panel, writes(910_000));
  await deleteCaptures(panel);
  return [
    against(row("write to the queue, p95", p95(withoutPanel.ours), "ms", "<= 5"), p95(withoutPanel.bare)),
    against(row("write to the queue, median", median(withoutPanel.ours), "ms", "<= 5"), median(withoutPanel.bare)),
    against(
      row("write to the queue while the panel renders each, p95", p95(withPanel.ours), "ms", "reported"),
      p95(withPanel.bare),
    ),
  ];
}

async function timeChapter(page: Page, panel: Page, origin: string): Promise<Row[]> {
  await page.goto(`${origin}/long`);
  await page.bringToFront();
  const { readMs, blocks, savedS } = await timeLongNote(panel, buildChapter(BLOCKS));
  return [
    row(`an article of ${blocks} blocks is read`, readMs, "ms", "reported"),
    row("gesture until the server has the whole article", savedS, "s", "reported"),
  ];
}

/** Times clicks while the previous page is being read. Reading starts after a moment without gestures. */
async function timeDuringReading(page: Page, panel: Page, origin: string): Promise<Row> {
  await page.goto(`${origin}/two`);
  await page.bringToFront();
  const durationMs: number[] = [];
  for (let n = 0; n < OVERLAPS; n += 1) {
    durationMs.push(await panel.evaluate(pressAndWait));
    await new Promise((done) => setTimeout(done, READING_DELAY_MS + n * 60));
  }
  await waitUntilSaved(panel);
  return row(`gesture while a page of 2 MB is read, worst of ${OVERLAPS}`, Math.max(...durationMs), "ms", "reported");
}

export const bench: Bench = {
  name: "Extension",
  async run() {
    const site = await aLectureSite({
      "/two": buildPage(2 * MEGABYTE),
      "/small": buildPage(4000),
      "/long": buildChapter(BLOCKS),
    });
    const rows: Row[] = [];
    const plain = await openBrowser({ args: site.args });
    const without = await measureFootprint(await plain.newPage(), `${site.origin}/small`);
    await plain.close();
    const extended = await openExtensionBrowser({ args: site.args, allowed: ["tabs", "*://lectures.example.org/*"] });
    const lamplight = await startLamplight(extended.browser);
    try {
      const page = await extended.browser.newPage();
      const within = await measureFootprint(page, `${site.origin}/small`);
      const bytes = Math.abs(within.bytes - without.bytes);
      rows.push(row("injected into a page before any gesture", bytes, "bytes", "0"));
      rows.push(row("script worlds of ours in it", within.worlds - without.worlds, "worlds", "0"));
      const panel = await extended.openPanel(page);
      await page.bringToFront();
      rows.push(row("side panel interactive", median(await timePanel(panel)), "ms", "<= 500"));
      rows.push(...(await timeGestures(page, panel, site.origin)));
      const accountId = (await lamplight.client.auth.getUser({})).user._id;
      const script = await bundleParts();
      rows.push(...(await timeQueue(panel, script, accountId)));
      await connectExtension(extended, panel, lamplight.server.origin);
      await panel.evaluate(script);
      const lookups = await timeLookups(panel, accountId, STORED_CAPTURES);
      rows.push(
        against(
          row(`looking up a URL among ${STORED_CAPTURES} captures, p95`, p95(lookups.ours), "ms", "<= 5"),
          p95(lookups.bare),
        ),
      );
      rows.push(...(await timeChapter(page, panel, site.origin)));
      rows.push(await timeDuringReading(page, panel, site.origin));
      const offline = Array.from({ length: OFFLINE }, (_, n) => aCapture(accountId, n));
      const drained = await timeDrain(panel, lamplight, offline);
      rows.push(row(`${OFFLINE} offline captures drained`, drained.seconds, "s", "<= 60"));
      const wrong = Math.abs(OFFLINE - drained.cards) + Math.abs(OFFLINE - drained.listed);
      rows.push(row("of them lost or duplicated", wrong, "captures", "0"));
      rows.push(row("package", packageBytes() / MEGABYTE, "MB", "<= 2"));
      return rows;
    } finally {
      await lamplight.close();
      await extended.browser.close();
      site.close();
    }
  },
};
