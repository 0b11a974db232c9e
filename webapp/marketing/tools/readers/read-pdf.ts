import { getDocument, GlobalWorkerOptions, PDFWorker, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
// Vite's `?url` import provides the default export.
// oxlint-disable-next-line import/default
import workerAddress from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { buildProfile, samplePages } from "#shared/pdf/layout/document-profile.ts";
import { layOutPage, type LaidPage } from "#shared/pdf/layout/page-layout.ts";
import { type FontStyle, parseFontStyle, positionPage, type RawText } from "#shared/pdf/layout/pdf-text-positions.ts";
import { PassageAssembler } from "#shared/pdf/passage-assembler.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { ToolError, type Report, type Source } from "../use-cards.ts";
import { word } from "../words.ts";

GlobalWorkerOptions.workerSrc = workerAddress;

/** A longer document is a book, of which a few cards would be a poor selection. */
const MAX_PAGES = 60;
const MAX_ITEMS_PER_PAGE = 40_000;

let prepared: PDFWorker | undefined;

/** Starts the parser's worker before there is a file. */
export function preparePdf(): void {
  prepared ??= new PDFWorker();
}

function getWorker(): PDFWorker {
  const worker = prepared ?? new PDFWorker();
  prepared = undefined;
  return worker;
}

/** Reads the text of a PDF with the same layout analysis that the server uses. */
export async function readPdf(file: File, report: Report, signal: AbortSignal): Promise<Source> {
  const worker = getWorker();
  const assets = new URL(import.meta.env.VITE_PDF_ASSETS, location.origin).href;
  const task = getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    worker,
    cMapUrl: `${assets}cmaps/`,
    standardFontDataUrl: `${assets}standard_fonts/`,
    wasmUrl: `${assets}wasm/`,
    fontExtraProperties: true,
    // Images are not decoded, because only the text is needed.
    maxImageSize: 1,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise.catch(() => {
      throw new ToolError(word("error_read"));
    });
    const passages = await readPages(document, report, signal);
    if (!passages.some(({ text }) => text.length > 20)) throw new ToolError(word("error_no_text_pdf"));
    const isCut = document.numPages > MAX_PAGES;
    return { passages, ...(isCut ? { note: word("pages_left_out", { count: MAX_PAGES }) } : {}) };
  } finally {
    await task.destroy();
    worker.destroy();
  }
}

async function readPages(document: PDFDocumentProxy, report: Report, signal: AbortSignal): Promise<Passage[]> {
  const count = Math.min(document.numPages, MAX_PAGES);
  const fontStyles = new Map<string, FontStyle>();
  const laid: LaidPage[] = [];
  // The worker parses the next page while the layout of the current page is analysed.
  let nextPage = parsePage(document, 1);
  for (let number = 1; number <= count; number += 1) {
    if (signal.aborted) return [];
    report(word("reading_page", { page: number, count }));
    const parsed = await nextPage;
    if (number < count) nextPage = parsePage(document, number + 1);
    laid.push(await layPage(parsed, fontStyles));
  }
  const sample = new Set(samplePages(count));
  const assembler = new PassageAssembler(buildProfile(laid.filter((_, index) => sample.has(index + 1))));
  const pages = [...laid.map((page) => assembler.addPage(page)), assembler.finish()];
  return pages.flatMap((page) => page?.passages ?? []);
}

interface ParsedPage {
  page: PDFPageProxy;
  content: Awaited<ReturnType<PDFPageProxy["getTextContent"]>>;
}

function parsePage(document: PDFDocumentProxy, number: number): Promise<ParsedPage> {
  const parsed = document.getPage(number).then(async (page) => ({
    page,
    content: await page.getTextContent({ includeMarkedContent: false }),
  }));
  // The caller that awaits the page gets the failure. Without a caller, it must not become an unhandled rejection.
  parsed.catch(() => undefined);
  return parsed;
}

async function layPage({ page, content }: ParsedPage, fontStyles: Map<string, FontStyle>): Promise<LaidPage> {
  const items = content.items.filter((item) => "str" in item).slice(0, MAX_ITEMS_PER_PAGE);
  const raw: RawText = { items, styles: content.styles, fontStyles };
  await loadFontStyles(page, raw, fontStyles);
  const laid = layOutPage(positionPage(page, raw));
  page.cleanup();
  return laid;
}

/** Fonts are loaded with the page's drawing operators, which are requested only if the page has a new font. */
async function loadFontStyles(page: PDFPageProxy, raw: RawText, fontStyles: Map<string, FontStyle>): Promise<void> {
  const added = Object.keys(raw.styles).filter((name) => !fontStyles.has(name));
  if (added.length === 0) return;
  await page.getOperatorList().catch(() => undefined);
  for (const name of added) {
    const font: unknown = page.commonObjs.has(name) ? page.commonObjs.get(name) : undefined;
    fontStyles.set(name, parseFontStyle(typeof font === "object" && font !== null ? font : {}));
  }
}
