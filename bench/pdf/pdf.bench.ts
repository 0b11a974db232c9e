import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { readDocument } from "#api/documents/document-reader.ts";
import { type Bench, median, type Row } from "../row.ts";

const corpus = process.env["CORPUS_DIR"] ?? "../shared/corpus";
const packageFolder = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
const ROUNDS = 3;
const PAGES = 300;

export const bench: Bench = {
  name: "PDF",
  async run() {
    if (!existsSync(join(corpus, "textbook"))) return [];
    const files = listChapters();
    // Warm up both readers.
    await readAll(files.slice(0, 1));
    await readBare(files.slice(0, 1));
    const ours: number[] = [];
    const bare: number[] = [];
    const delays: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      ours.push(await pagesPerSecond(() => readAll(files)));
      delay.disable();
      delays.push(delay.percentile(99) / 1e6);
      bare.push(await pagesPerSecond(() => readBare(files)));
    }
    return [
      ...toThroughputRow(median(ours), median(bare)),
      toLoopDelayRow(median(delays)),
      await measureFirstPage(files),
    ];
  },
};

function toThroughputRow(value: number, reference: number): Row[] {
  const what = `text with fonts of ${PAGES} textbook pages, against bare pdf.js doing both calls`;
  return [{ what, value, unit: "pages/s", reference, ratio: value / reference, goal: "ratio >= 0.9" }];
}

const toLoopDelayRow = (value: number): Row => ({
  what: "event-loop delay p99 meanwhile",
  value,
  unit: "ms",
  goal: "<= 50",
});

async function measureFirstPage(files: readonly string[]): Promise<Row> {
  const times: number[] = [];
  for (const file of files) {
    const startedAt = performance.now();
    const reading = readDocument("pdf", file);
    await reading.next();
    times.push(performance.now() - startedAt);
    await reading.return(undefined);
  }
  return { what: "first page of a chapter", value: median(times), unit: "ms", goal: "part of the first card's 2 s" };
}

/** The chapters, repeated until there are enough pages. */
function listChapters(): string[] {
  const folder = join(corpus, "textbook");
  const names = readdirSync(folder).filter((name) => name.endsWith(".pdf"));
  return [...names, ...names].map((name) => join(folder, name));
}

async function pagesPerSecond(read: () => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  const pages = await read();
  return (pages * 1000) / (performance.now() - startedAt);
}

async function readAll(files: readonly string[]): Promise<number> {
  let pages = 0;
  for (const file of files) {
    for await (const { page } of readDocument("pdf", file)) pages += Math.sign(page);
    if (pages >= PAGES) break;
  }
  return pages;
}

async function readBare(files: readonly string[]): Promise<number> {
  let pages = 0;
  for (const file of files) {
    pages += await readBareFile(file);
    if (pages >= PAGES) break;
  }
  return pages;
}

async function readBareFile(file: string): Promise<number> {
  const task = getDocument({
    data: new Uint8Array(readFileSync(file)),
    cMapUrl: join(packageFolder, "cmaps/"),
    standardFontDataUrl: join(packageFolder, "standard_fonts/"),
    wasmUrl: join(packageFolder, "wasm/"),
    fontExtraProperties: true,
    verbosity: 0,
  });
  const document = await task.promise;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    await page.getTextContent();
    await page.getOperatorList();
    page.cleanup();
  }
  await task.destroy();
  return document.numPages;
}
