import type { PlacedText } from "./placed-text.ts";
import { toReadingOrder } from "./visual-order.ts";

/** Adjacent text on one baseline, without a gap as wide as the gaps between columns or cells. */
export interface Segment {
  items: PlacedText[];
  u0: number;
  u1: number;
  v: number;
  size: number;
  chars: number;
}

export interface Line {
  segments: Segment[];
  u0: number;
  u1: number;
  v: number;
  size: number;
  chars: number;
}

/** In em: a wider gap may separate two columns. */
const SEGMENT_GAP = 0.9;
const OVERLAP = -0.7;

/** Joins runs that are adjacent in the file and on the page. */
export function toSegments(items: readonly PlacedText[]): Segment[] {
  const segments: Segment[] = [];
  let open: Segment | undefined;
  for (const item of items) {
    if (open && canExtend(open, item)) {
      extend(open, item);
    } else {
      open = startSegment(item);
      segments.push(open);
    }
  }
  return segments;
}

function startSegment(item: PlacedText): Segment {
  const { u, v, width, size } = item;
  return { items: [item], u0: u, u1: u + width, v, size, chars: item.text.length };
}

function canExtend(segment: Segment, item: PlacedText): boolean {
  const em = Math.max(segment.size, item.size);
  const gap = item.isRightToLeft ? segment.u0 - (item.u + item.width) : item.u - segment.u1;
  if (gap < OVERLAP * em && !isWithinMixedRun(segment, item)) return false;
  return gap < SEGMENT_GAP * em && isSameBaseline(segment, item);
}

/** A number or Latin word inside right-to-left text is stored in reverse order. */
function isWithinMixedRun(segment: Segment, item: PlacedText): boolean {
  const isMixed = segment.items.some((other) => other.isRightToLeft !== item.isRightToLeft);
  if (!isMixed) return false;
  const em = Math.max(segment.size, item.size);
  return item.u + item.width > segment.u0 - SEGMENT_GAP * em && item.u < segment.u1 + SEGMENT_GAP * em;
}

interface BaselineText {
  v: number;
  size: number;
}

/** Superscripts and subscripts belong to the line next to them. */
export function isSameBaseline(a: BaselineText, b: BaselineText): boolean {
  const large = Math.max(a.size, b.size);
  const small = Math.min(a.size, b.size);
  const tolerance = small < 0.85 * large ? 0.62 : 0.3;
  return Math.abs(a.v - b.v) <= tolerance * large;
}

function extend(segment: Segment, item: PlacedText): void {
  segment.items.push(item);
  segment.u0 = Math.min(segment.u0, item.u);
  segment.u1 = Math.max(segment.u1, item.u + item.width);
  segment.chars += item.text.length;
  if (item.size > segment.size * 1.05) {
    segment.size = item.size;
    segment.v = item.v;
  }
}

/** Groups the segments of one column into lines, from top to bottom, each in reading order. */
export function toLines(segments: readonly Segment[]): Line[] {
  const sorted = segments.toSorted((a, b) => a.v - b.v || a.u0 - b.u0);
  const lines: Line[] = [];
  for (const segment of sorted) {
    const line = lines.slice(-4).find((candidate) => canJoin(candidate, segment));
    if (line) addToLine(line, segment);
    else lines.push(startLine(segment));
  }
  for (const line of lines) orderWithin(line);
  return lines.toSorted((a, b) => a.v - b.v);
}

function canJoin(line: Line, segment: Segment): boolean {
  if (!isSameBaseline(line, segment)) return false;
  const tolerance = 0.4 * Math.min(line.size, segment.size);
  return line.segments.every((other) => segment.u0 >= other.u1 - tolerance || segment.u1 <= other.u0 + tolerance);
}

function startLine(segment: Segment): Line {
  const { u0, u1, v, size, chars } = segment;
  return { segments: [segment], u0, u1, v, size, chars };
}

function addToLine(line: Line, segment: Segment): void {
  line.segments.push(segment);
  line.u0 = Math.min(line.u0, segment.u0);
  line.u1 = Math.max(line.u1, segment.u1);
  if (segment.size > line.size * 1.05 || segment.chars > line.chars) {
    line.size = Math.max(line.size, segment.size);
    line.v = segment.v;
  }
  line.chars += segment.chars;
}

function orderWithin(line: Line): void {
  const backwards = isRightToLeft(line);
  line.segments.sort((a, b) => (backwards ? b.u1 - a.u1 : a.u0 - b.u0));
  if (backwards) for (const segment of line.segments) segment.items = toReadingOrder(segment.items);
}

export function isRightToLeft(line: Line): boolean {
  let letters = 0;
  let rightToLeft = 0;
  for (const segment of line.segments) {
    for (const item of segment.items) {
      letters += item.text.length;
      if (item.isRightToLeft) rightToLeft += item.text.length;
    }
  }
  return rightToLeft * 2 > letters;
}
