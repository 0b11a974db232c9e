import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import type { TextContent } from "pdfjs-dist/types/src/display/api.d.ts";
import { spellLigatures } from "#shared/pdf/ligatures.ts";
import { textOfPage, type PageText } from "#shared/pdf/text-rects.ts";
import type { Size } from "./page-layout.ts";

export interface OutlineEntry {
  id: string;
  title: string;
  page: number | undefined;
  children: OutlineEntry[];
}

/** Number of pages whose character positions are cached; for all others only the text is, for search. */
const KEPT_TEXTS = 40;
const MAX_OUTLINE = 2_000;

const spelled = (content: TextContent): TextContent => ({
  ...content,
  items: content.items.map((item) => ("str" in item ? { ...item, str: spellLigatures(item.str) } : item)),
});

/** An open PDF: pages, sizes and text, each loaded on demand. */
export class PdfFile {
  readonly pageCount: number;
  readonly #document: PDFDocumentProxy;
  readonly #task: PDFDocumentLoadingTask;
  readonly #texts = new Map<number, Promise<PageText>>();
  readonly #words = new Map<number, string>();
  /** Pages that were requested and may hold render data. */
  readonly #touched = new Set<number>();
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
    this.#touched.add(number);
    return this.#document.getPage(number);
  }

  async size(number: number): Promise<Size> {
    return sizeOf(await this.page(number));
  }

  async contentOf(number: number): Promise<TextContent> {
    return spelled(await (await this.page(number)).getTextContent());
  }

  /** The text of a page with character positions. */
  textOf(number: number): Promise<PageText> {
    const known = this.#texts.get(number);
    if (known) {
      this.#texts.delete(number);
      this.#texts.set(number, known);
      return known;
    }
    const reading = this.#readText(number);
    this.#texts.set(number, reading);
    reading.catch(() => this.#texts.delete(number));
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > KEPT_TEXTS && oldest !== undefined) this.#texts.delete(oldest);
    return reading;
  }

  async #readText(number: number): Promise<PageText> {
    const page = await this.page(number);
    const { items } = await this.contentOf(number);
    const runs = items.flatMap((item) => ("str" in item ? item : []));
    const text = textOfPage(number, runs, page.getViewport({ scale: 1 }).transform);
    this.#words.set(number, text.text);
    return text;
  }

  /** The plain text of a page. */
  async wordsOf(number: number): Promise<string> {
    return this.#words.get(number) ?? (await this.textOf(number)).text;
  }

  async outline(): Promise<OutlineEntry[]> {
    const entries = await this.#document.getOutline();
    let count = 0;
    const read = async (held: typeof entries, above: string): Promise<OutlineEntry[]> => {
      const made: OutlineEntry[] = [];
      for (const [index, { title, dest, items }] of (held ?? []).entries()) {
        count += 1;
        if (count > MAX_OUTLINE) break;
        const id = `${above}.${index}`;
        const page = await this.#pageOf(dest).catch(() => undefined);
        made.push({ id, title: title.trim(), page, children: await read(items as typeof entries, id) });
      }
      return made;
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
  async releaseBut(isNeeded: (page: number) => boolean): Promise<void> {
    for (const number of [...this.#touched].filter((page) => !isNeeded(page))) {
      this.#touched.delete(number);
      // `cleanup` returns false for a page that is being rendered; it is released the next time.
      if (!(await this.#document.getPage(number)).cleanup()) this.#touched.add(number);
    }
  }

  /** Clears the worker's page cache; pages are parsed again when needed. Rejects while a page is being rendered. */
  forget(): Promise<void> {
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
