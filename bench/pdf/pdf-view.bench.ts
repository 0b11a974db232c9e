import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import type { Browser, BrowserContext, Page } from "puppeteer";
import { registerAccount } from "#tests/kit/account.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/servers/server-process.ts";
import { type Bench, median, type Row } from "../row.ts";

const textbook = join(process.env["CORPUS_DIR"] ?? "../shared/corpus", "textbook");
const library = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
const ROUNDS = 5;
const JUMPS = [140, 12, 77, 149, 3, 101, 58, 120];
const SCROLL_FRAMES = 400;
const MB = 1024 * 1024;
const VIEWPORT = { width: 1360, height: 860 };

export const bench: Bench = {
  name: "PDF study",
  async run() {
    if (!existsSync(textbook)) return [];
    const small = await buildDocument(150);
    const server = await startServerProcess();
    const bare = await startBare(small);
    const browser = await openBrowser();
    try {
      const { token } = await registerAccount(server.origin);
      const id = await upload(server, token, small);
      const page = await openPage(browser, server, token);
      const rows = [
        ...(await measureReopening(page, `${server.origin}/pdf/${id}`, getAddress(bare))),
        ...(await measureJumps(page)),
      ];
      await page.close();
      const long = await upload(server, token, await buildDocument(2000));
      rows.push(...(await measureLongDocument(browser, server, { token, id: long })));
      return [...rows, await measureFirstVisit(browser, server, { token, id, bare: getAddress(bare) })];
    } finally {
      await browser.close();
      bare.close();
      await server.dispose();
    }
  },
};

/** A PDF of this many textbook pages, repeating chapters as needed; shared resources are stored once. */
async function buildDocument(pages: number): Promise<Uint8Array> {
  const whole = await PDFDocument.create();
  const names = readdirSync(textbook).filter((name) => name.endsWith(".pdf"));
  const chapters = await Promise.all(names.map((name) => PDFDocument.load(readFileSync(join(textbook, name)))));
  const share = Math.ceil(pages / chapters.length);
  for (const chapter of chapters) {
    const count = Math.min(share, pages - whole.getPageCount());
    const numbers = Array.from({ length: count }, (_, at) => at % chapter.getPageCount());
    for (const copied of await whole.copyPages(chapter, numbers)) whole.addPage(copied);
  }
  return whole.save();
}

async function upload({ origin }: ServerProcess, token: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), "chapters.pdf");
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/v1/pages/upload/image_component`, { method: "POST", headers, body: form });
  if (!response.ok) throw new Error(`The upload answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { component: { _id: string } }).component._id;
}

async function openPage(browser: Browser | BrowserContext, { origin }: ServerProcess, token: string): Promise<Page> {
  const page = await browser.newPage();
  await page.setViewport(VIEWPORT);
  await page.setCookie({ name: "lamplight_token", value: token, url: origin });
  return page;
}

const getAddress = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

/** The minimal page that shows a PDF page with selectable text. */
const barePage = `<!doctype html><style>.textLayer{position:absolute;inset:0}.textLayer span{position:absolute;white-space:pre;color:transparent}</style>
<div style="position:relative"><canvas></canvas><div class="textLayer"></div></div><script type="module">
import { getDocument, GlobalWorkerOptions, TextLayer } from "/legacy/build/pdf.min.mjs";
GlobalWorkerOptions.workerSrc = "/legacy/build/pdf.worker.min.mjs";
const task = getDocument({ url: "/file.pdf", rangeChunkSize: 131072, disableAutoFetch: true, disableStream: true,
  cMapUrl: "/cmaps/", standardFontDataUrl: "/standard_fonts/", wasmUrl: "/wasm/" });
const page = await (await task.promise).getPage(1);
const viewport = page.getViewport({ scale: 1300 / page.getViewport({ scale: 1 }).width });
const canvas = document.querySelector("canvas");
canvas.width = viewport.width; canvas.height = viewport.height;
await page.render({ canvas, viewport }).promise;
window.paintedAt = performance.now();
const container = document.querySelector(".textLayer");
await new TextLayer({ textContentSource: page.streamTextContent(), container, viewport }).render();
window.writtenAt = performance.now();
</script>`;

/** The baseline: pdf.js alone on an otherwise empty page. */
async function startBare(bytes: Uint8Array): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://here").pathname;
    if (path === "/") return response.setHeader("content-type", "text/html").end(barePage);
    if (path !== "/file.pdf") {
      if (!existsSync(join(library, path))) return response.writeHead(404).end();
      response.setHeader("content-type", path.endsWith("mjs") ? "text/javascript" : "application/octet-stream");
      response.setHeader("cache-control", "max-age=3600");
      return response.end(readFileSync(join(library, path)));
    }
    response.setHeader("accept-ranges", "bytes");
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
    const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1);
    if (from !== undefined) {
      response.statusCode = 206;
      response.setHeader("content-range", `bytes ${from}-${to}/${bytes.length}`);
    }
    response.setHeader("content-length", part.length);
    return response.end(part);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

/** Runs in the browser before anything else: records when each page's canvas and text appear. */
function watchPages(): void {
  const [painted, written]: [Record<string, number>, Record<string, number>] = [{}, {}];
  Object.assign(globalThis, { painted, written });
  const note = (element: HTMLElement) => {
    const number = element.closest<HTMLElement>(".pdf-page")?.dataset["page"];
    // The first page may be shown before the surrounding screen.
    if (element.matches(".pdf-first")) painted["1"] ??= performance.now();
    if (number === undefined) return;
    if (element.matches("canvas")) painted[number] ??= performance.now();
    if (element.matches(".textLayer")) written[number] ??= performance.now();
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof HTMLElement) note(node);
  }).observe(document, { subtree: true, childList: true });
}

async function waitForNumber(page: Page, expression: string): Promise<number> {
  const found = await page.waitForFunction(expression, { polling: 20 });
  return Number(await found.jsonValue());
}

/** Times the opening of a document that this browser has opened before. */
async function measureOpenings(page: Page, ours: string, bare: string): Promise<[painted: Pair, written: Pair]> {
  const painted: Pair = [[], []];
  const written: Pair = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await page.goto(ours);
    const ourTimes = [
      await waitForNumber(page, "globalThis.painted?.['1']"),
      await waitForNumber(page, "globalThis.written?.['1']"),
    ];
    await page.goto(bare);
    const baseline = [
      await waitForNumber(page, "globalThis.paintedAt"),
      await waitForNumber(page, "globalThis.writtenAt"),
    ];
    // In the first round, neither has its scripts cached.
    if (round === 0) continue;
    for (const [at, pair] of [painted, written].entries()) {
      pair[0].push(ourTimes[at] ?? 0);
      pair[1].push(baseline[at] ?? 0);
    }
  }
  return [painted, written];
}

async function measureReopening(page: Page, ours: string, bare: string): Promise<Row[]> {
  await page.evaluateOnNewDocument(watchPages);
  const [painted, written] = await measureOpenings(page, ours, bare);
  await page.goto(ours);
  // The page may be shown before the screen that handles keys.
  await page.waitForSelector(".pdf-page canvas");
  return [
    compare(`first page of 150 on the screen, opened again, ${comparison}`, painted, "ratio <= 1.3"),
    compare(`the same with selectable text, ${comparison}`, written, "reported"),
  ];
}

const comparison = "from the address, against pdf.js on a bare page";

const VISITS = 7;

/** Each visit, ours and the baseline's, uses a new browser context: no cached files, scroll position or service worker. */
async function measureFirstVisit(
  browser: Browser,
  server: ServerProcess,
  { token, id, bare }: Opened & { bare: string },
): Promise<Row> {
  const visit = async (address: string, expression: string) => {
    const context = await browser.createBrowserContext();
    const page = await openPage(context, server, token);
    await page.evaluateOnNewDocument(watchPages);
    await page.goto(address);
    const paintedAt = await waitForNumber(page, expression);
    await context.close();
    return paintedAt;
  };
  const painted: Pair = [[], []];
  for (let round = 0; round <= VISITS; round += 1) {
    const ourTimes = await visit(`${server.origin}/pdf/${id}`, "globalThis.painted?.['1']");
    const baseline = await visit(bare, "globalThis.paintedAt");
    // The first context also starts what all contexts share.
    if (round === 0) continue;
    painted[0].push(ourTimes);
    painted[1].push(baseline);
  }
  return compare(
    `first page of 150 on the screen, with an empty browser cache, ${comparison}`,
    painted,
    "ratio <= 1.3",
  );
}

type Pair = [ours: number[], baseline: number[]];

function compare(what: string, [ourTimes, baseline]: Pair, goal: string): Row {
  const [value, reference] = [median(ourTimes), median(baseline)];
  return { what, value, unit: "ms", reference, ratio: value / reference, goal };
}

async function measureJumps(page: Page): Promise<Row[]> {
  const times: number[] = [];
  for (const pageNumber of JUMPS) {
    await page.keyboard.press("g");
    await page.keyboard.type(String(pageNumber));
    await page.evaluate(`globalThis.jumpedAt = performance.now(); delete globalThis.painted['${pageNumber}']`);
    await page.keyboard.press("Enter");
    await page.waitForFunction(`globalThis.painted['${pageNumber}'] > globalThis.jumpedAt`, { polling: 10 });
    times.push((await page.evaluate(`globalThis.painted['${pageNumber}'] - globalThis.jumpedAt`)) as number);
  }
  const goal = "<= 300";
  return [
    { what: "a page after a jump, median", value: median(times), unit: "ms", goal },
    { what: "a page after a jump, slowest", value: Math.max(...times), unit: "ms", goal },
  ];
}

interface Opened {
  token: string;
  id: string;
}

async function measureLongDocument(browser: Browser, server: ServerProcess, { token, id }: Opened): Promise<Row[]> {
  const page = await openPage(browser, server, token);
  await page.evaluateOnNewDocument(watchPages);
  await page.goto(`${server.origin}/pdf/${id}`);
  await page.waitForFunction("globalThis.painted?.['1']", { polling: 20 });
  const opened = await measureMemory(browser);
  const share = await page.evaluate(scrollFrames, SCROLL_FRAMES);
  for (const pageNumber of [300, 900, 1500, 2000]) {
    await page.keyboard.press("g");
    await page.keyboard.type(String(pageNumber));
    await page.keyboard.press("Enter");
    await page.waitForFunction(`globalThis.painted['${pageNumber}']`, { polling: 20 });
  }
  const read = await measureMemory(browser);
  await page.close();
  return [
    {
      what: "memory of the tab with 2,000 pages open (private, worker included)",
      value: opened,
      unit: "MB",
      goal: "<= 250",
    },
    { what: "the same after scrolling and jumps all through it", value: read, unit: "MB", goal: "<= 250" },
    { what: "frames within 33 ms while scrolling it", value: share, unit: "%", goal: ">= 95" },
  ];
}

/** Runs in the browser: scrolls a little each frame and returns the percentage of frames that were on time. */
async function scrollFrames(frames: number): Promise<number> {
  const pages = document.querySelector(".pdf-scroller");
  let inTime = 0;
  let before = await new Promise<number>((done) => requestAnimationFrame(done));
  for (let frame = 0; frame < frames; frame += 1) {
    pages?.scrollBy(0, 40);
    const now = await new Promise<number>((done) => requestAnimationFrame(done));
    if (now - before <= 33.4) inTime += 1;
    before = now;
  }
  return (100 * inTime) / frames;
}

/** Private memory of the largest renderer process, in MB. */
async function measureMemory(browser: Browser): Promise<number> {
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  const sizes = renderers.map(({ id }) => {
    const smaps = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
    const kilobytes = [...smaps.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].map((match) => Number(match[1]));
    return (kilobytes.reduce((sum, size) => sum + size, 0) * 1024) / MB;
  });
  return Math.max(...sizes);
}
