import { findQuote, type Anchor, type Found, type Place } from "#shared/pdf/anchoring.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { rectsOf, type PageRect } from "#shared/pdf/text-rects.ts";
import type { PdfFile } from "../viewer/pdf-file.ts";

/** A highlighted passage: rectangles in points, by page. */
export interface Lit {
  pieces: { page: number; rects: PageRect[] }[];
  isExact: boolean;
}

/** The first batch: the cited page and this many neighbours on each side. */
const NEAR = 1;
const BATCH = 20;
/** Limit of the search around the cited page. */
const MAX_PAGES = 600;

/** Batches of pages in search order: near the cited page first, then outwards. */
export function searchOrder(pageCount: number, page: number): number[][] {
  const from = Math.min(Math.max(1, page), Math.max(1, pageCount));
  const order = Array.from({ length: pageCount }, (_, i) => i + 1)
    .toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from) || a - b)
    .slice(0, MAX_PAGES);
  const near = 1 + 2 * NEAR;
  const batches = [order.slice(0, near)];
  for (let at = near; at < order.length; at += BATCH) batches.push(order.slice(at, at + BATCH));
  return batches.filter((batch) => batch.length > 0);
}

/** Finds a quote in a PDF, nearest pages first; null if no page has it or `signal` is aborted. */
export async function findInFile(file: PdfFile, anchor: Anchor, signal: AbortSignal): Promise<Lit | null> {
  for (const batch of searchOrder(file.pageCount, anchor.page ?? 1)) {
    const numbers = batch.toSorted((a, b) => a - b);
    const places: Place[] = [];
    for (const page of numbers) {
      if (signal.aborted) return null;
      const text = await file.wordsOf(page).catch(() => "");
      places.push({ page, text });
    }
    const found = findQuote(places, anchor);
    if (found) return lightOf(file, found);
  }
  return null;
}

async function lightOf(file: PdfFile, { pieces, isExact }: Found): Promise<Lit> {
  const lit: Lit["pieces"] = [];
  for (const { page, start, end } of pieces) lit.push({ page, rects: rectsOf(await file.textOf(page), start, end) });
  return { pieces: lit, isExact };
}

/**
 * Finds a quote in the passages that the server extracted and highlights whole passages, where their rectangles are
 * known.
 */
export function lightOfPassages(passages: readonly Passage[], anchor: Anchor): Lit | null {
  const places = passages.map(({ text, locator }) => ({ page: locator.page ?? 0, text }));
  const found = findQuote(places, anchor);
  if (!found) return null;
  const pieces = found.pieces.flatMap(({ at }): Lit["pieces"] => {
    const { page, rect } = passages[at]?.locator ?? {};
    return page === undefined || rect === undefined ? [] : [{ page, rects: [rect] }];
  });
  return pieces.length === 0 ? null : { pieces, isExact: found.isExact };
}
