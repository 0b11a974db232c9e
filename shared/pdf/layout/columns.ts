import type { Segment } from "./lines.ts";

/** A page with more segments is a drawing or malicious, so it is read from top to bottom. */
const MAX_SEGMENTS = 3_000;
const MAX_DEPTH = 6;
const MIN_VOTES = 4;
/** Columns contain sentences; cells contain words. */
const SENTENCE_CHARS = 22;

/** Splits a page into regions in reading order: adjacent columns, and text that spans them. */
export function toRegions(segments: readonly Segment[], isRightToLeft: boolean): Segment[][] {
  if (segments.length > MAX_SEGMENTS) return [segments.toSorted((a, b) => a.v - b.v)];
  return splitRegion(segments, isRightToLeft, 0).filter((region) => region.length > 0);
}

function splitRegion(segments: readonly Segment[], isRightToLeft: boolean, depth: number): Segment[][] {
  const gutter = depth < MAX_DEPTH ? findGutter(segments) : undefined;
  if (gutter === undefined) return [[...segments]];
  const regions: Segment[][] = [];
  for (const band of toBands(segments, gutter)) {
    if (band.isSpanning) {
      regions.push(...splitRegion(band.segments, isRightToLeft, depth + 1));
      continue;
    }
    const left = band.segments.filter((segment) => centre(segment) < gutter);
    const right = band.segments.filter((segment) => centre(segment) >= gutter);
    // A full-width table has gaps like those between text columns; so its rows must not be split.
    if (isCellColumn(left) && isCellColumn(right)) {
      regions.push(band.segments);
      continue;
    }
    const sides = isRightToLeft ? [right, left] : [left, right];
    for (const side of sides) regions.push(...splitRegion(side, isRightToLeft, depth + 1));
  }
  return regions;
}

const CELL_CHARS = 12;
const MIN_CELLS = 6;

/** Whether one side consists of many short segments, each a word or a number. */
function isCellColumn(side: readonly Segment[]): boolean {
  const chars = side.reduce((sum, segment) => sum + segment.chars, 0);
  return side.length >= MIN_CELLS && chars < CELL_CHARS * side.length;
}

interface Band {
  isSpanning: boolean;
  segments: Segment[];
}

/** Cuts the page at every line that crosses the gutter, so that a title is not read after the first column. */
function toBands(segments: readonly Segment[], gutter: number): Band[] {
  const bands: Band[] = [];
  for (const segment of segments.toSorted((a, b) => a.v - b.v)) {
    const isSpanning = crosses(segment, gutter);
    const last = bands.at(-1);
    if (last && last.isSpanning === isSpanning) last.segments.push(segment);
    else bands.push({ isSpanning, segments: [segment] });
  }
  return bands;
}

function crosses(segment: Segment, gutter: number): boolean {
  const slack = 0.3 * segment.size;
  return segment.u0 < gutter - slack && segment.u1 > gutter + slack;
}

function centre(segment: Segment): number {
  return (segment.u0 + segment.u1) / 2;
}

interface Gap {
  from: number;
  to: number;
  left: Segment;
  right: Segment;
}

function findGutter(segments: readonly Segment[]): number | undefined {
  if (segments.length < 2 * MIN_VOTES) return undefined;
  const gaps = findGaps(segments);
  const best = findMostCovered(gaps);
  if (!best) return undefined;
  return isGutter(best.voters, best.at, segments) ? best.at : undefined;
}

/** For every segment the gap to its nearest neighbour on the same line. */
function findGaps(segments: readonly Segment[]): Gap[] {
  const sorted = segments.toSorted((a, b) => a.v - b.v);
  const gaps: Gap[] = [];
  sorted.forEach((left, index) => {
    const right = nearestToTheRight(sorted, index);
    const em = Math.min(left.size, right?.size ?? left.size);
    if (right && right.u0 - left.u1 >= 0.8 * em) gaps.push({ from: left.u1, to: right.u0, left, right });
  });
  return gaps;
}

function nearestToTheRight(sorted: readonly Segment[], index: number): Segment | undefined {
  const left = sorted[index];
  if (!left) return undefined;
  const tolerance = 0.75 * left.size;
  let best: Segment | undefined;
  for (const other of neighbours(sorted, index, tolerance)) {
    const isRight = other.u0 >= left.u1;
    if (isRight && (!best || other.u0 < best.u0)) best = other;
  }
  return best;
}

function* neighbours(sorted: readonly Segment[], index: number, tolerance: number): Generator<Segment> {
  const v = sorted[index]?.v ?? 0;
  for (let at = index - 1; at >= 0; at--) {
    const other = sorted[at];
    if (!other || v - other.v > tolerance) break;
    yield other;
  }
  for (let at = index + 1; at < sorted.length; at++) {
    const other = sorted[at];
    if (!other || other.v - v > tolerance) break;
    yield other;
  }
}

interface GutterCandidate {
  at: number;
  voters: Gap[];
}

/** The position covered by the most gaps. */
function findMostCovered(gaps: readonly Gap[]): GutterCandidate | undefined {
  const edges = gaps.flatMap((gap) => [
    { at: gap.from, step: 1 },
    { at: gap.to, step: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || b.step - a.step);
  let open = 0;
  let most = 0;
  let from = 0;
  let to = 0;
  edges.forEach((edge, index) => {
    open += edge.step;
    if (open <= most) return;
    most = open;
    from = edge.at;
    to = edges[index + 1]?.at ?? edge.at;
  });
  if (most < MIN_VOTES) return undefined;
  const at = (from + to) / 2;
  return { at, voters: gaps.filter((gap) => gap.from <= at && gap.to >= at) };
}

function isGutter(voters: readonly Gap[], at: number, segments: readonly Segment[]): boolean {
  const heights = voters.map((gap) => gap.left.v);
  const top = Math.min(...heights);
  const bottom = Math.max(...heights);
  const between = segments.filter((segment) => segment.v >= top && segment.v <= bottom);
  const crossing = between.filter((segment) => crosses(segment, at)).length;
  if (crossing > 0.5 * voters.length) return false;
  const left = between.filter((segment) => segment.u1 <= at);
  const right = between.filter((segment) => segment.u0 >= at);
  return isProse(left) && isProse(right);
}

/** Most of a column's characters are in lines as long as sentences, even with formulas in between. */
function isProse(side: readonly Segment[]): boolean {
  if (side.length < MIN_VOTES) return false;
  let all = 0;
  let inSentences = 0;
  for (const { chars } of side) {
    all += chars;
    if (chars >= SENTENCE_CHARS) inSentences += chars;
  }
  return inSentences > 0.6 * all;
}
