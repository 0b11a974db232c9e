import { fileURLToPath } from "node:url";
import { getDocument, InvalidPDFException, PasswordException, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { type DocumentProfile, buildProfile, samplePages } from "#shared/pdf/layout/document-profile.ts";
import { PassageAssembler } from "#shared/pdf/passage-assembler.ts";
import { type LaidPage, layOutPage } from "#shared/pdf/layout/page-layout.ts";
import { readBytes } from "../read-bytes.ts";
import { DocumentError, type ReadFault, type Work } from "../process/parser-messages.ts";
import { type FontStyle, parseFontStyle, positionPage, type RawText } from "#shared/pdf/layout/pdf-text-positions.ts";

const MAX_PAGES = 5_000;
/** A page of a telephone directory has about 20,000 text runs; more is a drawing or an attack. */
const MAX_ITEMS_PER_PAGE = 40_000;
const MAX_CHARS = 40_000_000;
/** After this many consecutive unreadable pages, the file's page count is assumed to be false. */
const MAX_BAD_PAGES = 20;

const packageFolder = fileURLToPath(new URL(".", import.meta.resolve("pdfjs-dist/package.json")));

/** Reads one document page by page; runs in the parser process. */
export async function readPdfPages(work: Work): Promise<void> {
  const { request, send } = work;
  let task: PDFDocumentLoadingTask | undefined;
  try {
    task = await openTask(request.source);
    const document = await task.promise;
    const pageCount = Math.min(document.numPages, MAX_PAGES);
    if (pageCount < 1) throw new DocumentError("corrupt");
    await new DocumentReading(document, pageCount, work).run();
    send({ type: "done", id: request.id, memoryBytes: process.memoryUsage.rss() });
  } catch (error) {
    send({ type: "failed", id: request.id, fault: toFault(error) });
  } finally {
    await task?.destroy().catch(() => undefined);
  }
}

async function openTask(source: string | Uint8Array): Promise<PDFDocumentLoadingTask> {
  return getDocument({
    data: await readBytes(source),
    cMapUrl: `${packageFolder}cmaps/`,
    standardFontDataUrl: `${packageFolder}standard_fonts/`,
    wasmUrl: `${packageFolder}wasm/`,
    fontExtraProperties: true,
    // Images are skipped before they are decoded, because only text is needed.
    maxImageSize: 1,
    isOffscreenCanvasSupported: false,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
}

/** Maps an error of pdf.js or a reader to a fault. */
function toFault(error: unknown): ReadFault {
  if (error instanceof DocumentError) return error.fault;
  if (error instanceof PasswordException) return "encrypted";
  if (error instanceof InvalidPDFException) return "corrupt";
  return error instanceof RangeError ? "too_large" : "corrupt";
}

class DocumentReading {
  readonly #document: PDFDocumentProxy;
  readonly #pageCount: number;
  readonly #work: Work;
  readonly #fontStyles = new Map<string, FontStyle>();
  readonly #laidOut = new Map<number, LaidPage>();
  #chars = 0;
  #badPages = 0;

  constructor(document: PDFDocumentProxy, pageCount: number, work: Work) {
    this.#document = document;
    this.#pageCount = pageCount;
    this.#work = work;
  }

  async run(): Promise<void> {
    const { send, request } = this.#work;
    const profile = await this.#survey();
    send({ type: "opened", id: request.id, pageCount: this.#pageCount });
    await this.#readRange(profile);
  }

  /** Samples the same pages for every range, so that a page is always read the same way. */
  async #survey(): Promise<DocumentProfile> {
    const pages: LaidPage[] = [];
    const sample = samplePages(this.#pageCount);
    for (const number of sample) {
      if (this.#work.isStopped()) break;
      const laidOut = await this.#layOutPage(number);
      if (laidOut) pages.push(laidOut);
      if (laidOut && this.#isNeeded(number)) this.#laidOut.set(number, laidOut);
      this.#work.send({ type: "alive", id: this.#work.request.id });
    }
    if (pages.length === 0 && !this.#work.isStopped()) throw new DocumentError("corrupt");
    return buildProfile(pages);
  }

  /** Includes one page on either side, because a paragraph may start or end there. */
  #isNeeded(page: number): boolean {
    const { from, to } = this.#work.request;
    return page >= from - 1 && page <= to + 1;
  }

  async #readRange(profile: DocumentProfile): Promise<void> {
    const { from, to } = this.#work.request;
    const assembler = new PassageAssembler(profile);
    const last = Math.min(this.#pageCount, to + 1);
    for (let number = Math.max(1, from - 1); number <= last; number++) {
      if (this.#work.isStopped()) return;
      const laidOut = this.#laidOut.get(number) ?? (await this.#layOutPage(number)) ?? blankPage(number);
      this.#laidOut.delete(number);
      this.#sendPage(assembler.addPage(laidOut));
    }
    this.#sendPage(assembler.finish());
  }

  #sendPage(done: ReturnType<PassageAssembler["finish"]>): void {
    const { send, request } = this.#work;
    if (!done || done.page < request.from || done.page > request.to) return;
    send({ type: "page", id: request.id, page: done.page, passages: done.passages });
  }

  /** A damaged page is left blank; a document with only damaged pages is refused. */
  async #layOutPage(number: number): Promise<LaidPage | undefined> {
    try {
      const page = await this.#document.getPage(number);
      const raw = await this.#readText(page);
      const laidOut = layOutPage(positionPage(page, raw));
      page.cleanup();
      this.#badPages = 0;
      return laidOut;
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      this.#badPages++;
      if (this.#badPages >= MAX_BAD_PAGES) throw new DocumentError("corrupt");
      return undefined;
    }
  }

  async #readText(page: PDFPageProxy): Promise<RawText> {
    const raw: RawText = { items: [], styles: {}, fontStyles: this.#fontStyles };
    const reader = page.streamTextContent({ includeMarkedContent: false }).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const item of value.items) {
        if (!("str" in item)) continue;
        raw.items.push(item);
        this.#chars += item.str.length;
      }
      Object.assign(raw.styles, value.styles);
      if (raw.items.length > MAX_ITEMS_PER_PAGE || this.#chars > MAX_CHARS) throw new DocumentError("too_large");
    }
    await this.#loadFontStyles(page, raw);
    return raw;
  }

  /** Fonts come with the page's drawing operators, which are loaded only for a new font. */
  async #loadFontStyles(page: PDFPageProxy, raw: RawText): Promise<void> {
    const newFonts = Object.keys(raw.styles).filter((name) => !this.#fontStyles.has(name));
    if (newFonts.length === 0) return;
    await page.getOperatorList().catch(() => undefined);
    for (const name of newFonts) {
      const font: unknown = page.commonObjs.has(name) ? page.commonObjs.get(name) : undefined;
      this.#fontStyles.set(name, parseFontStyle(typeof font === "object" && font !== null ? font : {}));
    }
  }
}

function blankPage(page: number): LaidPage {
  return { page: { page, width: 0, height: 0, frames: [] }, frames: [] };
}
