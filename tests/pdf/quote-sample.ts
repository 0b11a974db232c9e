import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { readDocument } from "#api/documents/document-reader.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { AnchorMatch } from "#shared/pdf/anchoring/quote-anchoring.ts";
import { type PageRect, rectsOfRange, extractPageText, type PageText } from "#shared/pdf/text-rects.ts";
import { corpusFiles } from "#tests/kit/corpus.ts";

/** A PDF with its pages as the viewer reads them, and its passages as the API reads them. */
export interface ReadFile {
  name: string;
  pages: PageText[];
  passages: Passage[];
}

/** The PDFs of the corpus that must be readable and have a text layer. */
export function goodPdfs(): string[] {
  const good = corpusFiles("pdf").filter((path) => basename(path).startsWith("good_"));
  return [...good, ...corpusFiles("textbook").filter((path) => path.endsWith(".pdf"))];
}

export async function readFile(path: string): Promise<ReadFile> {
  const passages: Passage[] = [];
  for await (const page of readDocument("pdf", path)) passages.push(...page.passages);
  return { name: basename(path), pages: await pagesOf(path), passages };
}

async function pagesOf(path: string): Promise<PageText[]> {
  const folder = join(process.cwd(), "node_modules/pdfjs-dist/");
  const task = getDocument({
    data: new Uint8Array(readFileSync(path)),
    cMapUrl: `${folder}cmaps/`,
    standardFontDataUrl: `${folder}standard_fonts/`,
    wasmUrl: `${folder}wasm/`,
    verbosity: 0,
  });
  const document = await task.promise;
  const pages: PageText[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const runs = items.flatMap((item) => ("str" in item ? item : []));
    pages.push(extractPageText(number, runs, page.getViewport({ scale: 1 }).transform));
    page.cleanup();
  }
  await task.destroy();
  return pages;
}

/** A sentence of a passage, as a card or an answer would quote it. */
export interface Quote {
  text: string;
  passage: Passage;
}

const MIN_WORDS = 6;
const MAX_WORDS = 40;
const countWords = (text: string) => text.split(/\s+/).length;

const isProse = ({ kind }: Passage) => kind === "paragraph" || kind === "list_item" || kind === "caption";

export function quotesOf({ passages }: ReadFile): Quote[] {
  return passages.filter(isProse).flatMap((passage) =>
    passage.text
      .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
      .map((text) => ({ text: text.trim(), passage }))
      .filter(({ text }) => /[.!?]$/.test(text) && countWords(text) >= MIN_WORDS && countWords(text) <= MAX_WORDS),
  );
}

/** The letters and digits with their positions, for a search that shares no code with the product. */
function bare(text: string): { letters: string; offsets: number[] } {
  let letters = "";
  const offsets: number[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}]/gu)) {
    const plain = match[0].normalize("NFKC").toLowerCase();
    letters += plain;
    for (let unit = 0; unit < plain.length; unit += 1) offsets.push(match.index);
  }
  return { letters, offsets };
}

/** Every position of a sentence, word for word, within one page. */
function findSentence({ pages }: ReadFile, text: string): { page: number; rects: PageRect[] }[] {
  const wanted = bare(text).letters;
  return pages.flatMap((page) => {
    const { letters, offsets } = bare(page.text);
    const found: { page: number; rects: PageRect[] }[] = [];
    for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
      const end = (offsets[at + wanted.length - 1] ?? 0) + 1;
      found.push({ page: page.page, rects: rectsOfRange(page, offsets[at] ?? 0, end) });
    }
    return found;
  });
}

const areaOf = (rects: readonly PageRect[]) => rects.reduce((sum, [, , width, height]) => sum + width * height, 0);

function sharedArea(some: readonly PageRect[], others: readonly PageRect[]): number {
  let sum = 0;
  for (const a of some)
    for (const b of others) {
      const width = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
      const height = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
      if (width > 0 && height > 0) sum += width * height;
    }
  return sum;
}

const ENOUGH_SHARED = 0.8;

/** Describes what is wrong with the found position of a quote; undefined if page and rectangles are right. */
export function faultOf(file: ReadFile, { text, passage }: Quote, found: AnchorMatch | null): string | undefined {
  if (!found) return "not found";
  const truth = findSentence(file, text);
  const { page = 0 } = passage.locator;
  // A quote that runs over the end of a page or column begins on its passage's page or the next one.
  if (truth.length === 0) return found.page === page || found.page === page + 1 ? undefined : `on page ${found.page}`;
  const lit = found.ranges.flatMap(({ at, start, end }) => {
    const pageText = file.pages[at];
    return pageText ? [{ page: pageText.page, rects: rectsOfRange(pageText, start, end) }] : [];
  });
  const rects = lit.flatMap((position) => position.rects);
  const isThere = truth.some((position) => {
    const shared = sharedArea(rects, position.rects);
    return (
      lit.every((match) => match.page === position.page) &&
      shared >= ENOUGH_SHARED * Math.max(areaOf(rects), areaOf(position.rects))
    );
  });
  return isThere ? undefined : `elsewhere, on page ${found.page}`;
}

/** Whether a document contains a sentence word for word. */
export const containsSentence = (file: ReadFile, text: string): boolean => findSentence(file, text).length > 0;
