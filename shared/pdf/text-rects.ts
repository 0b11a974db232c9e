/** One run of text from pdf.js. */
export interface TextRun {
  str: string;
  dir: string;
  /** PDF text matrix: a, b, c, d, x, y. */
  transform: readonly number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

/** x, y, width and height in PDF points from the top left of the unrotated page. */
export type PageRect = [x: number, y: number, width: number, height: number];

interface PositionedRun {
  start: number;
  end: number;
  str: string;
  isRightToLeft: boolean;
  /** Start of the baseline, its direction (unit vector), its length, and the letters' height. */
  x: number;
  y: number;
  along: [number, number];
  width: number;
  size: number;
}

/** The text of a page and the position of each run. */
export interface PageText {
  page: number;
  text: string;
  runs: PositionedRun[];
}

type Matrix = readonly number[];
type MatrixValues = [number, number, number, number, number, number];

/** Share of the letters' height above and below the baseline, for most fonts. */
const ASCENT = 0.9;
const DESCENT = 0.25;

const apply = ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix, x: number, y: number): [number, number] => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/**
 * The text of a page in file order, with a line feed at each line's end and the position of every run. `view` is the
 * transform of the page's viewport at scale 1 without rotation.
 */
export function extractPageText(page: number, items: readonly TextRun[], view: Matrix): PageText {
  const runs: PositionedRun[] = [];
  let text = "";
  for (const item of items) {
    const start = text.length;
    text += item.str;
    if (item.str.trim() !== "") runs.push(locateRun(item, view, start));
    if (item.hasEOL) text += "\n";
  }
  return { page, text, runs };
}

function locateRun({ str, dir, transform, width, height }: TextRun, view: Matrix, start: number): PositionedRun {
  const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map((at) => transform[at] ?? 0) as MatrixValues;
  const [x, y] = apply(view, e, f);
  const [x1, y1] = apply(view, e + a, f + b);
  const length = Math.hypot(x1 - x, y1 - y) || 1;
  const isVertical = width === 0 && height > 0;
  return {
    start,
    end: start + str.length,
    str,
    isRightToLeft: dir === "rtl",
    x,
    y,
    along: isVertical ? [0, 1] : [(x1 - x) / length, (y1 - y) / length],
    width: isVertical ? height : width,
    size: Math.hypot(c, d) || height || 1,
  };
}

/** The approximate relative width of a text in most fonts, which is enough to split a run between two words. */
function relativeWidth(text: string): number {
  let sum = 0;
  for (const letter of text) {
    if (/[iljtfrI.,:;'!| ]/.test(letter)) sum += 0.32;
    else if (/[mwMW@%]/.test(letter)) sum += 0.88;
    else if (/[A-Z]/.test(letter)) sum += 0.68;
    else sum += letter > "\u2e80" ? 1 : 0.53;
  }
  return sum;
}

/** The box of a part of a run, from letter `from` to letter `to`. */
function boxOf(run: PositionedRun, from: number, to: number): PageRect {
  const whole = relativeWidth(run.str) || 1;
  const before = relativeWidth(run.str.slice(0, from)) / whole;
  const until = relativeWidth(run.str.slice(0, to)) / whole;
  const [u0, u1] = run.isRightToLeft ? [1 - until, 1 - before] : [before, until];
  const [ax, ay] = run.along;
  // Letters are to the left of their text direction, with y growing downwards.
  const [nx, ny] = [ay, -ax];
  const xs: number[] = [];
  const ys: number[] = [];
  for (const u of [u0 * run.width, u1 * run.width])
    for (const v of [ASCENT * run.size, -DESCENT * run.size]) {
      xs.push(run.x + ax * u + nx * v);
      ys.push(run.y + ay * u + ny * v);
    }
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
}

const isOnOneLine = ([, ay, , ah]: PageRect, [, by, , bh]: PageRect) =>
  Math.min(ay + ah, by + bh) - Math.max(ay, by) > 0.5 * Math.min(ah, bh);

/** Whether two boxes are on one line without a column-wide gap between them. */
function isAdjacent(a: PageRect, b: PageRect): boolean {
  const gap = Math.max(a[0], b[0]) - Math.min(a[0] + a[2], b[0] + b[2]);
  return isOnOneLine(a, b) && gap < 1.5 * Math.max(Math.min(a[3], a[2]), Math.min(b[3], b[2]));
}

function boundingRect(a: PageRect, b: PageRect): PageRect {
  const [x, y] = [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
  return [x, y, Math.max(a[0] + a[2], b[0] + b[2]) - x, Math.max(a[1] + a[3], b[1] + b[3]) - y];
}

const round = (value: number) => Math.round(value * 100) / 100;
const rounded = ([x, y, width, height]: PageRect): PageRect => [round(x), round(y), round(width), round(height)];

/** One rectangle per line for a range of the page's text, half-open in UTF-16 units. */
export function rectsOfRange({ runs }: PageText, start: number, end: number): PageRect[] {
  const rects: PageRect[] = [];
  for (const run of runs) {
    if (run.end <= start || run.start >= end) continue;
    const from = Math.max(0, start - run.start);
    const to = Math.min(run.str.length, end - run.start);
    if (run.str.slice(from, to).trim() === "") continue;
    const box = boxOf(run, from, to);
    const last = rects.at(-1);
    if (last && isAdjacent(last, box)) rects[rects.length - 1] = boundingRect(last, box);
    else rects.push(box);
  }
  return rects.map(rounded);
}
