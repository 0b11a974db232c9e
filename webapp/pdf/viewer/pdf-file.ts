import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import type { TextContent } from "pdfjs-dist/types/src/display/api.d.ts";
import { expandLigatures } from "#shared/pdf/layout/ligatures.ts";
import { extractPageText, type PageText } from "#shared/pdf/text-rects.ts";
import type { Size } from "./page-layout.ts";

export interface OutlineEntry {
  id: string;
  title: string;
  page: number | undefined;
  children: OutlineEntry[];
}

/** Number of pages whose character positions are cached. For all other pages only the text is cached, for search. */
const MAX_CACHED_TEXTS = 40;
const MAX_OUTLINE_ENTRIES = 2_000;

const withSpelledLigatures = (content: TextContent): TextContent => ({
  ...content,
  items: content.items.map((item) => ("str" in item ? { ...item, str: expandLigatures(item.str) } : item)),
});

/** An open PDF: pages, sizes and text, each loaded on demand. */
export class PdfFile {
  readonly pageCount: number;
  readonly #document: PDFDocumentProxy;
  readonly #task: PDFDocumentLoadingTask;
  readonly #texts = new Map<number, Promise<PageText>>();
  readonly #plainTexts = new Map<number, string>();
  /** Pages that were requested and may have render data. */
  readonly #requestedPages = new Set<number>();
  readonly firstSize: Size;

  private constructor(task: PDFDocumentLoadingTask, document: PDFDocumentProxy, firstSize: Size) {
    this.#task = task;
    this.#document = document;
    this.pageCount = document.numPages;
    this.firstSize = firstSize;
  }

  /** Throws pdf.js errors; a document without pages opens as well. */
  static async open(task: PDFDocumentLoadingTask): Promise<PdfFile> {
    const document = await task.promise;
    const first = document.numPages > 0 ? await document.getPage(1) : undefined;
    return new PdfFile(task, document, first ? sizeOf(first) : { width: 612, height: 792 });
  }

  page(number: number): Promise<PDFPageProxy> {
    this.#requestedPages.add(number);
    return this.#document.getPage(number);
  }

  async size(number: number): Promise<Size> {
    return sizeOf(await this.page(number));
  }

  async getPageContent(number: number): Promise<TextContent> {
    return withSpelledLigatures(await (await this.page(number)).getTextContent());
  }

  /** The text of a page with character positions. */
  getPageText(number: number): Promise<PageText> {
    const cached = this.#texts.get(number);
    if (cached) {
      this.#texts.delete(number);
      this.#texts.set(number, cached);
      return cached;
    }
    const reading = this.#readText(number);
    this.#texts.set(number, reading);
    reading.catch(() => this.#texts.delete(number));
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_CACHED_TEXTS && oldest !== undefined) this.#texts.delete(oldest);
    return reading;
  }

  async #readText(number: number): Promise<PageText> {
    const page = await this.page(number);
    const { items } = await this.getPageContent(number);
    const runs = items.flatMap((item) => ("str" in item ? item : []));
    const text = extractPageText(number, runs, page.getViewport({ scale: 1 }).transform);
    this.#plainTexts.set(number, text.text);
    return text;
  }

  /** The plain text of a page. */
  async getPlainText(number: number): Promise<string> {
    return this.#plainTexts.get(number) ?? (await this.getPageText(number)).text;
  }

  async outline(): Promise<OutlineEntry[]> {
    const entries = await this.#document.getOutline();
    let count = 0;
    const read = async (level: typeof entries, parentId: string): Promise<OutlineEntry[]> => {
      const result: OutlineEntry[] = [];
      for (const [index, { title, dest, items }] of (level ?? []).entries()) {
        count += 1;
        if (count > MAX_OUTLINE_ENTRIES) break;
        const id = `${parentId}.${index}`;
        const page = await this.#pageOf(dest).catch(() => undefined);
        result.push({ id, title: title.trim(), page, children: await read(items as typeof entries, id) });
      }
      return result;
    };
    return read(entries, "");
  }

  async #pageOf(destination: string | unknown[] | null): Promise<number | undefined> {
    const found = typeof destination === "string" ? await this.#document.getDestination(destination) : destination;
    const [reference] = found ?? [];
    if (typeof reference === "number") return reference + 1;
    if (typeof reference !== "object" || reference === null) return undefined;
    return (await this.#document.getPageIndex(reference as { num: number; gen: number })) + 1;
  }

  bytes(): Promise<Uint8Array> {
    return this.#document.getData();
  }

  /** Releases the render data of all pages that are not needed. */
  async releaseExcept(isNeeded: (page: number) => boolean): Promise<void> {
    for (const number of [...this.#requestedPages].filter((page) => !isNeeded(page))) {
      this.#requestedPages.delete(number);
      // `cleanup` returns false for a page that is being rendered; it is released the next time.
      if (!(await this.#document.getPage(number)).cleanup()) this.#requestedPages.add(number);
    }
  }

  /** Clears the worker's page cache; pages are parsed again when needed. Rejects while a page is being rendered. */
  clearWorkerCache(): Promise<void> {
    return this.#document.cleanup();
  }

  close(): Promise<void> {
    return this.#task.destroy();
  }
}

function sizeOf(page: PDFPageProxy): Size {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}
