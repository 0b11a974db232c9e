/** The direction of a line on the page: most text runs right; "down" is vertical writing or text rotated clockwise. */
export type Direction = "right" | "down" | "left" | "up";

/**
 * A run of text with its position along the line (`u`), its baseline (`v`, increasing in reading order) and its style.
 */
export interface PlacedText {
  text: string;
  u: number;
  v: number;
  width: number;
  size: number;
  isBold: boolean;
  isItalic: boolean;
  isMono: boolean;
  isRightToLeft: boolean;
  /** Whether white space precedes this run in the file. */
  hasSpaceBefore: boolean;
}

export interface Frame {
  direction: Direction;
  items: PlacedText[];
}

/** One page from a format's reader: in points, origin at the top left, one frame per text direction. */
export interface PlacedPage {
  page: number;
  width: number;
  height: number;
  frames: Frame[];
}

export type Rect = [number, number, number, number];

interface Span {
  u0: number;
  u1: number;
  v0: number;
  v1: number;
}

/** Converts a box from a frame's axes into x, y, width and height on the page. */
export function toPageRect(page: PlacedPage, direction: Direction, box: Span): Rect {
  const length = box.u1 - box.u0;
  const height = box.v1 - box.v0;
  if (direction === "left") return rounded([page.width - box.u1, page.height - box.v1, length, height]);
  if (direction === "down") return rounded([page.width - box.v1, box.u0, height, length]);
  if (direction === "up") return rounded([box.v0, page.height - box.u1, height, length]);
  return rounded([box.u0, box.v0, length, height]);
}

function rounded(rect: Rect): Rect {
  const [x, y, width, height] = rect;
  return [round(x), round(y), round(width), round(height)];
}

function round(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : 0;
}
