import type { ReadFault } from "#api/documents/process/parser-messages.ts";
import { DocumentUnreadableError, type ReadPage, readDocument } from "#api/documents/document-reader.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { DocumentKind } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { proposeHeadingTitle } from "#shared/text/titles.ts";
import { type Content, findReading, finishReading, insertReading, saveProgress, saveSlice } from "./store.ts";

const SLICE_PAGES = 10;
/** Keeps a database record well below a megabyte; in UTF-16 units of its JSON. */
const SLICE_CHARS = 350_000;

/** Kinds read by a parser; images go through OCR instead. */
export type ParsedKind = Exclude<DocumentKind, "image">;

/**
 * A document whose first page was read, so that the file is known to be valid. The remaining pages can be read in the
 * background.
 */
export class StartedReading {
  readonly #first: ReadPage | undefined;
  readonly #rest: AsyncGenerator<ReadPage>;

  private constructor(first: ReadPage | undefined, rest: AsyncGenerator<ReadPage>) {
    this.#first = first;
    this.#rest = rest;
  }

  /** Throws `DocumentUnreadableError` if the first page cannot be read. */
  static async start(kind: ParsedKind, path: string): Promise<StartedReading> {
    const rest = readDocument(kind, path);
    const first = await rest.next();
    return new StartedReading(first.done ? undefined : first.value, rest);
  }

  /** The document's own title, if its first page has one. */
  get title(): string | undefined {
    return proposeHeadingTitle(this.#first?.passages ?? []);
  }

  async cancel(): Promise<void> {
    await this.#rest.return(undefined);
  }

  /** Reads to the end and stores everything, slice by slice. */
  async storeAll(own: Own, content: Content, now: number): Promise<void> {
    if ((await findReading(own, content))?.isComplete) return this.cancel();
    const slicer = new SliceWriter(own, content);
    await insertReading(own, content, this.#first?.pageCount ?? 0, now);
    const outcome = await this.#readRest(slicer);
    await slicer.flush();
    const { sliceCount, textlessPages } = slicer;
    await finishReading(own, content, { ...outcome, sliceCount, textlessPages });
  }

  async #readRest(slicer: SliceWriter): Promise<{ pageCount: number; fault: ReadFault | null }> {
    let pageCount = this.#first?.pageCount ?? 0;
    try {
      if (this.#first) await slicer.add(this.#first);
      for await (const page of this.#rest) {
        await slicer.add(page);
        pageCount = page.pageCount;
      }
      return { pageCount, fault: null };
    } catch (error) {
      if (!(error instanceof DocumentUnreadableError)) throw error;
      // Keep the pages before the damage, and record the fault so that the file is not read again.
      return { pageCount, fault: error.fault };
    }
  }
}

/** Writes pages to the database in batches; a very large page is split over several batches. */
class SliceWriter {
  readonly #own: Own;
  readonly #content: Content;
  #passages: Passage[] = [];
  #firstPage = 0;
  #lastPage = 0;
  #chars = 0;
  sliceCount = 0;
  readonly textlessPages: number[] = [];

  constructor(own: Own, content: Content) {
    this.#own = own;
    this.#content = content;
  }

  async add({ page, passages }: ReadPage): Promise<void> {
    if (!hasText(passages)) this.textlessPages.push(page);
    for (const passage of passages) {
      const chars = JSON.stringify(passage).length;
      if (this.#chars > 0 && this.#chars + chars > SLICE_CHARS) await this.flush();
      if (this.#passages.length === 0) this.#firstPage = page;
      this.#passages.push(passage);
      this.#lastPage = page;
      this.#chars += chars;
    }
    if (this.#passages.length === 0 || page - this.#firstPage + 1 < SLICE_PAGES) return;
    await this.flush();
    await saveProgress(this.#own, this.#content, { readTo: page, sliceCount: this.sliceCount });
  }

  async flush(): Promise<void> {
    if (this.#passages.length === 0) return;
    await saveSlice(this.#own, this.#content, {
      seq: this.sliceCount,
      firstPage: this.#firstPage,
      lastPage: this.#lastPage,
      passages: this.#passages,
    });
    this.sliceCount++;
    this.#passages = [];
    this.#chars = 0;
  }
}

/** Fewer letters are a page number or a scanner's stamp, not text. */
const MIN_LETTERS = 10;

function hasText(passages: readonly Passage[]): boolean {
  const letters = passages
    .filter(({ kind }) => kind !== "running_head")
    .reduce((sum, { text }) => sum + text.replaceAll(/[^\p{L}\p{N}]/gu, "").length, 0);
  return letters >= MIN_LETTERS;
}
