import type { PageRect } from "#shared/pdf/text-rects.ts";

/** The size of a page in PDF points, with the rotation stored in the file. */
export interface Size {
  width: number;
  height: number;
}

export type Rotation = 0 | 90 | 180 | 270;
export type Spread = "one" | "two";

/** In CSS pixels from the top left of the track. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export const PAGE_GAP_PX = 12;
export const PAGE_EDGE_PX = 16;
/** A page fitted to a wide window is not wider than this, because its lines would be too long to read. */
const MAX_FIT_PX = 900;
const MIN_SCALE = 0.25;
const MAX_SCALE = 8;
/** Larger pages are painted at a lower resolution and scaled up. */
const MAX_PIXELS = 16_000_000;

export const clampScale = (scale: number) => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));

/** Device pixels per point of a page shown at `scale` CSS pixels per point. */
export function computeRasterScale({ width, height }: Size, scale: number): number {
  return Math.min(scale * Math.min(2, window.devicePixelRatio || 1), Math.sqrt(MAX_PIXELS / (width * height)));
}

interface LayoutOptions {
  sizes: readonly Size[];
  /** CSS pixels per point. */
  scale: number;
  turn: Rotation;
  spread: Spread;
  /** The window's width; narrower pages are centred. */
  viewportWidth: number;
}

export interface Layout {
  /** The box of each page; the first page has index 0. */
  boxes: Box[];
  /** The page numbers of each row, from 1. */
  rows: [first: number, last: number][];
  width: number;
  height: number;
}

export const rotateSize = ({ width, height }: Size, turn: Rotation): Size =>
  turn === 90 || turn === 270 ? { width: height, height: width } : { width, height };

/** Lays out the pages in one column, or in pairs. */
export function layOutPages({ sizes, scale, turn, spread, viewportWidth }: LayoutOptions): Layout {
  const perRow = spread === "two" ? 2 : 1;
  const shown = sizes.map((size) => {
    const { width, height } = rotateSize(size, turn);
    return { width: Math.round(width * scale), height: Math.round(height * scale) };
  });
  const rows: Layout["rows"] = [];
  for (let first = 1; first <= sizes.length; first += perRow)
    rows.push([first, Math.min(sizes.length, first + perRow - 1)]);
  const widthOf = ([first, last]: [number, number]) =>
    shown.slice(first - 1, last).reduce((sum, { width }) => sum + width, 0) + (last - first) * PAGE_GAP_PX;
  const width = rows.reduce((widest, row) => Math.max(widest, widthOf(row) + 2 * PAGE_EDGE_PX), viewportWidth);
  const boxes: Box[] = [];
  let top = PAGE_EDGE_PX;
  for (const row of rows) {
    const pages = shown.slice(row[0] - 1, row[1]);
    let left = Math.round((width - widthOf(row)) / 2);
    for (const page of pages) {
      boxes.push({ left, top, ...page });
      left += page.width + PAGE_GAP_PX;
    }
    top += Math.max(...pages.map(({ height }) => height)) + PAGE_GAP_PX;
  }
  return { boxes, rows, width, height: top - PAGE_GAP_PX + PAGE_EDGE_PX };
}

/** The visible rows, extended by `overscan` rows on both sides; indices, both inclusive. */
export function rowsWithin(layout: Layout, from: number, to: number, overscan: number): [first: number, last: number] {
  const topOf = (row: number) => layout.boxes[(layout.rows[row]?.[0] ?? 1) - 1]?.top ?? 0;
  let [low, high] = [0, layout.rows.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (topOf(middle) <= from) low = middle;
    else high = middle - 1;
  }
  let last = low;
  while (last + 1 < layout.rows.length && topOf(last + 1) < to) last += 1;
  return [Math.max(0, low - overscan), Math.min(layout.rows.length - 1, last + overscan)];
}

/** The scale at which a page fits the window's width, or fits it completely. */
export function fitScale(
  size: Size,
  fit: "width" | "page",
  { turn, spread, viewportWidth, viewportHeight }: FitOptions,
): number {
  const { width, height } = rotateSize(size, turn);
  const columns = spread === "two" ? 2 : 1;
  const column = (viewportWidth - 2 * PAGE_EDGE_PX - (columns - 1) * PAGE_GAP_PX) / columns;
  const byWidth = Math.min(column, MAX_FIT_PX) / width;
  return fit === "width" ? byWidth : Math.min(byWidth, (viewportHeight - 2 * PAGE_EDGE_PX) / height);
}

interface FitOptions {
  turn: Rotation;
  spread: Spread;
  viewportWidth: number;
  viewportHeight: number;
}

/** Rotates a rectangle clockwise with its page; in points. */
export function rotateRect([x, y, width, height]: PageRect, { width: w, height: h }: Size, turn: Rotation): PageRect {
  switch (turn) {
    case 0:
      return [x, y, width, height];
    case 90:
      return [h - y - height, x, height, width];
    case 180:
      return [w - x - width, h - y - height, width, height];
    case 270:
      return [y, w - x - width, height, width];
    default:
      return turn satisfies never;
  }
}

/** The inverse of `rotateRect`: from the displayed page to the stored page. */
export function unrotateRect(rect: PageRect, size: Size, turn: Rotation): PageRect {
  const inverse = ((360 - turn) % 360) as Rotation;
  return rotateRect(rect, rotateSize(size, turn), inverse);
}
