import { anchorQuote, type Anchor, type AnchorMatch, type AnchorPage } from "#shared/pdf/anchoring/quote-anchoring.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { rectsOfRange, type PageRect } from "#shared/pdf/text-rects.ts";
import type { PdfFile } from "../viewer/pdf-file.ts";

/** A highlighted passage: rectangles in points, by page. */
export interface QuoteHighlight {
  pieces: { page: number; rects: PageRect[] }[];
  isExact: boolean;
}

/** The first batch: the cited page and this many neighbours on each side. */
const NEIGHBOUR_PAGES = 1;
const PAGES_PER_BATCH = 20;
/** Limit of the search around the cited page. */
const MAX_PAGES = 600;

/** Batches of pages in search order: near the cited page first, then outwards. */
export function searchOrder(pageCount: number, page: number): number[][] {
  const from = Math.min(Math.max(1, page), Math.max(1, pageCount));
  const order = Array.from({ length: pageCount }, (_, i) => i + 1)
    .toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from) || a - b)
    .slice(0, MAX_PAGES);
  const firstBatchSize = 1 + 2 * NEIGHBOUR_PAGES;
  const batches = [order.slice(0, firstBatchSize)];
  for (let index = firstBatchSize; index < order.length; index += PAGES_PER_BATCH)
    batches.push(order.slice(index, index + PAGES_PER_BATCH));
  return batches.filter((batch) => batch.length > 0);
}

/** Finds a quote in a PDF, nearest pages first; null if no page has it or `signal` is aborted. */
export async function findInFile(file: PdfFile, anchor: Anchor, signal: AbortSignal): Promise<QuoteHighlight | null> {
  for (const batch of searchOrder(file.pageCount, anchor.page ?? 1)) {
    const found = await findOnPages(file, batch, anchor, signal);
    if (found || signal.aborted) return found;
  }
  return null;
}

/** Finds a quote on its page or a neighbour, for a quote whose page is known. */
export const findNearPage = (file: PdfFile, anchor: Anchor & { page: number }): Promise<QuoteHighlight | null> =>
  findOnPages(file, searchOrder(file.pageCount, anchor.page)[0] ?? [], anchor);

async function findOnPages(
  file: PdfFile,
  pages: readonly number[],
  anchor: Anchor,
  signal?: AbortSignal,
): Promise<QuoteHighlight | null> {
  const pageTexts: AnchorPage[] = [];
  for (const page of pages.toSorted((a, b) => a - b)) {
    if (signal?.aborted === true) return null;
    const text = await file.getPlainText(page).catch(() => "");
    pageTexts.push({ page, text });
  }
  const found = anchorQuote(pageTexts, anchor);
  return found && createHighlight(file, found);
}

async function createHighlight(file: PdfFile, { ranges: pieces, isExact }: AnchorMatch): Promise<QuoteHighlight> {
  const highlightPieces: QuoteHighlight["pieces"] = [];
  for (const { page, start, end } of pieces)
    highlightPieces.push({ page, rects: rectsOfRange(await file.getPageText(page), start, end) });
  return { pieces: highlightPieces, isExact };
}

/**
 * Finds a quote in the passages that the server extracted and highlights whole passages, where their rectangles are
 * known.
 */
export function findInPassages(passages: readonly Passage[], anchor: Anchor): QuoteHighlight | null {
  const pageTexts = passages.map(({ text, locator }) => ({ page: locator.page ?? 0, text }));
  const found = anchorQuote(pageTexts, anchor);
  if (!found) return null;
  const pieces = found.ranges.flatMap(({ at: index }): QuoteHighlight["pieces"] => {
    const { page, rect } = passages[index]?.locator ?? {};
    return page === undefined || rect === undefined ? [] : [{ page, rects: [rect] }];
  });
  return pieces.length === 0 ? null : { pieces, isExact: found.isExact };
}
