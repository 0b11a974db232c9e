import { toRegions } from "./columns.ts";
import { isRightToLeft, type Line, toLines, toSegments } from "./lines.ts";
import type { Direction, PlacedPage, PlacedText } from "./placed-text.ts";
import { isIdeographic, type StyledText, writeLine } from "./styled-text.ts";

/** A line with its text and typographic properties. */
export interface TextLine extends StyledText {
  u0: number;
  u1: number;
  v: number;
  size: number;
  isBold: boolean;
  isItalic: boolean;
  isMono: boolean;
  isRightToLeft: boolean;
  hasCells: boolean;
  /** Starts with a small raised number or symbol, like a footnote. */
  startsWithNoteNumber: boolean;
}

export interface LaidFrame {
  direction: Direction;
  regions: TextLine[][];
}

export interface LaidPage {
  page: PlacedPage;
  frames: LaidFrame[];
}

/** Finds columns and lines of a page; the frame with most text comes first. */
export function layOutPage(page: PlacedPage): LaidPage {
  const frames = page.frames.map(({ direction, items }) => {
    const regions = toRegions(toSegments(items), isMostlyRightToLeft(items));
    const lines = regions.map((region) => toLines(region).map(toTextLine));
    return { direction, regions: lines.map((region) => region.filter((line) => line.text !== "")) };
  });
  return { page, frames: frames.toSorted((a, b) => countChars(b) - countChars(a)) };
}

function countChars(frame: LaidFrame): number {
  return frame.regions.flat().reduce((sum, line) => sum + line.text.length, 0);
}

function isMostlyRightToLeft(items: readonly PlacedText[]): boolean {
  let balance = 0;
  for (const item of items) balance += item.isRightToLeft ? item.text.length : -item.text.length;
  return balance > 0;
}

function toTextLine(line: Line): TextLine {
  const styled = writeLine(line);
  const items = line.segments.flatMap((segment) => segment.items);
  const share = (test: (item: PlacedText) => boolean): number => letterShare(items, test);
  return {
    ...styled,
    u0: line.u0,
    u1: line.u1,
    v: line.v,
    size: mainSize(items),
    isBold: share((item) => item.isBold) > 0.95,
    isItalic: share((item) => item.isItalic) > 0.95,
    isMono: share((item) => item.isMono) > 0.8,
    isRightToLeft: isRightToLeft(line),
    startsWithNoteNumber: startsWithNoteNumber(items),
    hasCells: styled.text.includes("\t") && !isIdeographic(styled.text.slice(0, 1)),
  };
}

function startsWithNoteNumber(items: readonly PlacedText[]): boolean {
  const [first, next] = items;
  if (!first || !next || !/^(?:\d{1,3}|[*∗†‡§])$/u.test(first.text.trim())) return false;
  return first.size < 0.85 * next.size && first.v < next.v - 0.15 * next.size;
}

function letterShare(items: readonly PlacedText[], test: (item: PlacedText) => boolean): number {
  let all = 0;
  let passed = 0;
  for (const item of items) {
    const letters = item.text.trim().length;
    all += letters;
    if (test(item)) passed += letters;
  }
  return all === 0 ? 0 : passed / all;
}

/** The font size of most letters, so a drop cap or superscript does not count. */
function mainSize(items: readonly PlacedText[]): number {
  const weights = new Map<number, number>();
  for (const item of items) {
    const size = Math.round(item.size * 10) / 10;
    weights.set(size, (weights.get(size) ?? 0) + item.text.length);
  }
  return keyWithMostWeight(weights) ?? 0;
}

export function keyWithMostWeight<Key>(weights: ReadonlyMap<Key, number>): Key | undefined {
  let best: Key | undefined;
  let most = -1;
  for (const [key, weight] of weights) {
    if (weight <= most) continue;
    best = key;
    most = weight;
  }
  return best;
}
