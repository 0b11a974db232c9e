import { fileURLToPath } from "node:url";
import type { Browser, CDPSession, Page } from "puppeteer";
import { scriptOf } from "#tests/kit/script-of.ts";
import { openBrowser } from "../../tests/kit/browser/browser.ts";
import { startServerProcess } from "../../tests/kit/servers/server-process.ts";
import { createEmptyPage, createLongPage } from "./editor-page.ts";
import { measureRemoteEdits } from "./editor-remote.ts";
import { median, type Bench, type Row } from "../row.ts";

const COMPONENTS = 5000;
const RUNS = 5;
const OFFLINE_EDITS = 2000;
const KEYS_PER_POSITION = 100;
/** Of twenty keys, those at these positions split a block and join it again; the others are letters. */
const BLOCK_KEYS: Readonly<Record<number, "Enter" | "Backspace">> = { 10: "Enter", 11: "Backspace" };
/** The same for all editors, because a larger frame takes longer to paint. */
const VIEWPORT = { width: 1280, height: 860 };
/** Two frames at 60 Hz: a gap of at most this long drops no more than one frame. */
const SMOOTH_FRAME_MS = 33.4;
const positions = ["start", "middle", "end"] as const;
type Position = (typeof positions)[number];

interface PageLocation {
  origin: string;
  token: string;
  pageId: string;
}

const p95 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;

interface Tab {
  page: Page;
  cdp: CDPSession;
  /** Selector of the lines to type into. */
  lines: string;
}

/** Measures from the key event's timestamp to the first task after the frame that shows it. */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { keyTimes: times });
    document.addEventListener(
      "keydown",
      (event) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.addEventListener("message", () => times.push(performance.now() - event.timeStamp));
          channel.port1.start();
          channel.port2.postMessage(0);
        });
      },
      true,
    );
  });
}

async function openBare(browser: Browser): Promise<Tab> {
  const page = await browser.newPage();
  await page.setViewport(VIEWPORT);
  const lines = Array.from({ length: 50 }, (_, i) => `<p class="line">A line of text with the number ${i}</p>`);
  await page.setContent(`<!doctype html><div contenteditable="true">${lines.join("")}</div>`);
  await watchKeys(page);
  return { page, cdp: await page.createCDPSession(), lines: "p.line" };
}

/** The plain rich-text editor that ours is built on. */
async function openPlain(browser: Browser): Promise<Tab> {
  const page = await browser.newPage();
  await page.setViewport(VIEWPORT);
  await page.setContent("<!doctype html><body></body>");
  await page.evaluate(await scriptOf(fileURLToPath(new URL("./plain-editor.ts", import.meta.url))));
  await watchKeys(page);
  return { page, cdp: await page.createCDPSession(), lines: "p.line" };
}

/** Milliseconds from the start of navigation until the text can be edited. */
async function timeToCaret(page: Page, address: string): Promise<number> {
  await page.goto(address, { waitUntil: "domcontentloaded" });
  const handle = await page.waitForFunction(() => {
    const root = document.querySelector<HTMLElement>(".page-document");
    if (!root) return undefined;
    root.focus();
    return document.activeElement === root ? performance.now() : undefined;
  });
  return (await handle.jsonValue()) ?? Number.NaN;
}

async function placeCaret({ page, lines }: Tab, position: Position): Promise<void> {
  await page.evaluate(
    (selector, share) => {
      const all = document.querySelectorAll(selector);
      all[Math.floor((all.length - 1) * share)]?.scrollIntoView({ block: "center" });
    },
    lines,
    { start: 0, middle: 0.5, end: 1 }[position],
  );
  const box = await page.evaluate((selector) => {
    const seen = [...document.querySelectorAll(selector)].map((line) => line.getBoundingClientRect());
    const found = seen.find(({ top, bottom }) => top > 120 && bottom < innerHeight);
    return found ? { x: found.left + 40, y: found.top + found.height / 2 } : { x: 200, y: 200 };
  }, lines);
  await page.mouse.click(box.x, box.y);
}

async function readScriptMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? 0) * 1000;
}

interface Typed {
  toFrameMs: number[];
  scriptMs: number[];
  enterMs: number[];
}

async function typeAt(tab: Tab, position: Position): Promise<Typed> {
  const { page, cdp } = tab;
  await page.bringToFront();
  await placeCaret(tab, position);
  await page.evaluate(() => (globalThis as unknown as { keyTimes: number[] }).keyTimes.splice(0));
  const typed: Typed = { toFrameMs: [], scriptMs: [], enterMs: [] };
  for (let i = 0; i < KEYS_PER_POSITION; i += 1) {
    const key = BLOCK_KEYS[i % 20] ?? "e";
    const before = await readScriptMs(cdp);
    await page.keyboard.press(key);
    (key === "e" ? typed.scriptMs : typed.enterMs).push((await readScriptMs(cdp)) - before);
  }
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  typed.toFrameMs = await page.evaluate(() => (globalThis as unknown as { keyTimes: number[] }).keyTimes.slice());
  return typed;
}

interface Tabs {
  bare: Tab;
  plain: Tab;
  editor: Tab;
}

/** Types in all three editors alternately, so that other load on the machine affects them alike. */
async function typeAll(tabs: Tabs): Promise<Record<keyof Tabs, Typed>> {
  const all = { bare: [] as Typed[], plain: [] as Typed[], editor: [] as Typed[] };
  for (const position of positions)
    for (const name of ["bare", "plain", "editor"] as const) all[name].push(await typeAt(tabs[name], position));
  const join = (runs: readonly Typed[]): Typed => ({
    toFrameMs: runs.flatMap(({ toFrameMs }) => toFrameMs),
    scriptMs: runs.flatMap((run) => run.scriptMs),
    enterMs: runs.flatMap(({ enterMs }) => enterMs),
  });
  return { bare: join(all.bare), plain: join(all.plain), editor: join(all.editor) };
}

function keyRows(runs: readonly Record<keyof Tabs, Typed>[]): Row[] {
  const reference = median(runs.map((run) => p95(run.bare.toFrameMs)));
  const against = (name: "plain" | "editor") => ({
    value: median(runs.map((run) => p95(run[name].toFrameMs))),
    unit: "ms",
    reference,
    ratio: median(runs.map((run) => p95(run[name].toFrameMs) / p95(run.bare.toFrameMs))),
  });
  const script = (name: "scriptMs" | "enterMs") => median(runs.map((run) => p95(run.editor[name])));
  return [
    { what: "key to frame p95, against a bare contenteditable of 50 lines", ...against("editor"), goal: "≤ 1.5×" },
    {
      what: "key to frame p95 of a plain rich-text editor with 50 blocks, against the same",
      ...against("plain"),
      goal: "reported",
    },
    { what: "script per letter p95", value: script("scriptMs"), unit: "ms", goal: "≤ 4" },
    { what: "script per Enter and Backspace p95", value: script("enterMs"), unit: "ms", goal: "≤ 4" },
  ];
}

/** The share of frames that come in time while scrolling. */
async function smoothFrameShare({ page }: Tab): Promise<number> {
  await page.bringToFront();
  return page.evaluate(async (smoothMs) => {
    const gaps: number[] = [];
    scrollTo(0, 0);
    // The frame's own timestamp: the callback may run later.
    let last = await new Promise<number>(requestAnimationFrame);
    for (let i = 0; i < 240; i += 1) {
      const now = await new Promise<number>(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
      scrollBy(0, 240);
    }
    return gaps.filter((gap) => gap <= smoothMs).length / gaps.length;
  }, SMOOTH_FRAME_MS);
}

async function copyAll({ page }: Tab): Promise<{ ms: number; lines: number }> {
  await page.bringToFront();
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  return page.evaluate(() => {
    let text = "";
    const root = document.querySelector(".page-document");
    root?.addEventListener("copy", (event) => {
      text = (event as ClipboardEvent).clipboardData?.getData("text/plain") ?? "";
    });
    const startedAt = performance.now();
    document.execCommand("copy");
    return { ms: performance.now() - startedAt, lines: text.split("\n").length };
  });
}

/** Runs in the page. */
const showsStatus = (words: string) => document.querySelector(".top-bar-state")?.textContent?.startsWith(words);

/** Runs in the page. */
const showsText = (words: string) => document.querySelector(".page-document")?.textContent?.includes(words);

/** How long it takes to send edits made offline after reconnecting. */
async function measureOfflineSync(browser: Browser, address: string): Promise<Row[]> {
  const page = await browser.newPage();
  await page.goto(address, { waitUntil: "load" });
  await page.waitForSelector(".page-document");
  await page.waitForFunction(showsStatus, {}, "Saved");
  await page.setOfflineMode(true);
  await page.focus(".page-document");
  await page.evaluate((count) => {
    const data = new DataTransfer();
    data.setData("text/plain", Array.from({ length: count }, (_, i) => `Written in the tunnel, line ${i}.`).join("\n"));
    const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector(".page-document")?.dispatchEvent(paste);
  }, OFFLINE_EDITS);
  await page.waitForFunction(showsText, {}, `line ${OFFLINE_EDITS - 1}.`);
  await page.waitForFunction(showsStatus, {}, "Offline");
  await page.evaluate(() => {
    const longTasks: number[] = [];
    Object.assign(globalThis, { longTasks });
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: "longtask",
    });
  });
  const startedAt = performance.now();
  await page.setOfflineMode(false);
  await page.waitForFunction(showsStatus, {}, "Saved");
  const ms = performance.now() - startedAt;
  const longest = await page.evaluate(() =>
    Math.max(0, ...(globalThis as unknown as { longTasks: number[] }).longTasks),
  );
  await page.close();
  return [
    { what: `${OFFLINE_EDITS} edits made offline, until the server has them`, value: ms, unit: "ms", goal: "≤ 10000" },
    { what: "the editor's longest task meanwhile", value: longest, unit: "ms", goal: "≤ 200" },
  ];
}

async function measure(browser: Browser, target: PageLocation): Promise<Row[]> {
  const address = `${target.origin}/page/${target.pageId}`;
  const page = await browser.newPage();
  await page.setViewport(VIEWPORT);
  const opened: number[] = [];
  for (let run = 0; run < RUNS; run += 1) opened.push(await timeToCaret(page, address));
  const cdp = await page.createCDPSession();
  await cdp.send("Performance.enable");
  await page.emulateCPUThrottling(4);
  const slow = await timeToCaret(page, address);
  await page.emulateCPUThrottling(null);
  await timeToCaret(page, address);
  await watchKeys(page);
  const editor = { page, cdp, lines: "p.page-text" };
  const bare = await openBare(browser);
  await bare.cdp.send("Performance.enable");
  const plain = await openPlain(browser);
  await plain.cdp.send("Performance.enable");
  const runs: Record<keyof Tabs, Typed>[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await typeAll({ bare, plain, editor }));
  // Before selecting everything, because selected content is rendered even off screen.
  const scrolled = await smoothFrameShare(editor);
  const copied = await copyAll(editor);
  const scrolledSelected = await smoothFrameShare(editor);
  await placeCaret(editor, "middle");
  const remoteRows = await measureRemoteEdits({ page, cdp, readScriptMs, p95 }, target);
  return [
    { what: "open to a caret", value: median(opened), unit: "ms", goal: "≤ 1000" },
    { what: "open to a caret, CPU throttled 4×", value: slow, unit: "ms", goal: "≤ 1500" },
    ...keyRows(runs),
    { what: "frames within 33 ms while scrolling", value: scrolled * 100, unit: "%", goal: "≥ 98" },
    { what: "the same, with everything selected", value: scrolledSelected * 100, unit: "%", goal: "reported" },
    { what: `copy all (${copied.lines} lines)`, value: copied.ms, unit: "ms", goal: "≤ 150" },
    ...remoteRows,
  ];
}

export const bench: Bench = {
  name: `Editor: one page of ${COMPONENTS} components, decks, code, equations and pictures among its text`,
  async run() {
    const server = await startServerProcess();
    const browser = await openBrowser();
    try {
      const { token, pageId } = await createLongPage(server, COMPONENTS);
      await browser.setCookie({ name: "lamplight_token", value: token, domain: "127.0.0.1", path: "/" });
      const rows = await measure(browser, { origin: server.origin, token, pageId });
      return [
        ...rows,
        ...(await measureOfflineSync(browser, `${server.origin}/page/${await createEmptyPage(server, token)}`)),
      ];
    } finally {
      await browser.close();
      await server.dispose();
    }
  },
};
