import type { PDFPageProxy } from "pdfjs-dist";
import type { TextItem, TextStyle } from "pdfjs-dist/types/src/display/api.d.ts";
import { expandLigatures } from "./ligatures.ts";
import { toLogicalText } from "./right-to-left.ts";
import type { Direction, Frame, PlacedPage, PlacedText } from "./placed-text.ts";

/** Style derived from a font's name and flags. */
export interface FontStyle {
  isBold: boolean;
  isItalic: boolean;
  isMono: boolean;
}

const PLAIN_STYLE: FontStyle = { isBold: false, isItalic: false, isMono: false };

interface PositionedText extends PlacedText {
  direction: Direction;
}

export interface RawText {
  items: TextItem[];
  styles: Record<string, TextStyle>;
  fontStyles: ReadonlyMap<string, FontStyle>;
}

/** Maps the text of a PDF page to the axes that the layout uses. */
export function positionPage(page: PDFPageProxy, raw: RawText): PlacedPage {
  const viewport = page.getViewport({ scale: 1 });
  const { width, height } = viewport;
  const frames = new Map<Direction, Frame>();
  let hasSpaceBefore = false;
  for (const item of raw.items) {
    const clean = cleanText(item.str);
    const text = item.dir === "rtl" ? toLogicalText(clean) : clean;
    if (text.trim() === "") {
      hasSpaceBefore ||= text !== "" || item.hasEOL;
      continue;
    }
    const matrix = multiply(viewport.transform as Matrix, item.transform as Matrix);
    const { direction, ...positioned } = positionItem(item, matrix, { width, height, raw });
    if (![positioned.u, positioned.v, positioned.width, positioned.size].every(Number.isFinite)) continue;
    const frame = frames.get(direction) ?? { direction, items: [] };
    frames.set(direction, frame);
    frame.items.push({ ...positioned, text, hasSpaceBefore });
    hasSpaceBefore = item.hasEOL;
  }
  return { page: page.pageNumber, width, height, frames: [...frames.values()] };
}

// oxlint-disable-next-line no-control-regex -- the pattern removes control characters
const UNWANTED = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFD-\uFFFF\u0640]|\p{Cs}/gu;

/** Removes control characters, lone surrogates and Arabic tatweel (letter-stretching strokes). */
function cleanText(text: string): string {
  return expandLigatures(text)
    .replaceAll(UNWANTED, "")
    .replaceAll(/ (?=[,.](?:\s|$))/gu, "");
}

type Matrix = [number, number, number, number, number, number];

/** The product of two affine transformations, as `Util.transform` of pdf.js, which `shared` cannot import. */
const multiply = ([a, b, c, d, e, f]: Matrix, [u, v, w, x, y, z]: Matrix): Matrix => [
  a * u + c * v,
  b * u + d * v,
  a * w + c * x,
  b * w + d * x,
  a * y + c * z + e,
  b * y + d * z + f,
];

interface PageContext {
  width: number;
  height: number;
  raw: RawText;
}

function positionItem(
  item: TextItem,
  matrix: Matrix,
  pageContext: PageContext,
): Omit<PositionedText, "text" | "hasSpaceBefore"> {
  const [a, b, c, d, x, y] = matrix;
  const isVertical = pageContext.raw.styles[item.fontName]?.vertical === true;
  const direction = isVertical ? "down" : getDirection(a, b);
  const size = Math.hypot(c, d) || Math.hypot(a, b) || 1;
  const width = Math.max(0, isVertical ? item.height : item.width);
  const style = pageContext.raw.fontStyles.get(item.fontName) ?? PLAIN_STYLE;
  return {
    ...toLineAxes(direction, x, y, pageContext),
    direction,
    width,
    size,
    ...style,
    isRightToLeft: item.dir === "rtl",
  };
}

function getDirection(a: number, b: number): Direction {
  if (Math.abs(a) >= Math.abs(b)) return a >= 0 ? "right" : "left";
  return b > 0 ? "down" : "up";
}

function toLineAxes(direction: Direction, x: number, y: number, pageContext: PageContext): { u: number; v: number } {
  if (direction === "left") return { u: pageContext.width - x, v: pageContext.height - y };
  if (direction === "down") return { u: y, v: pageContext.width - x };
  return direction === "up" ? { u: pageContext.height - y, v: x } : { u: x, v: y };
}

const BOLD = /bold|black|heavy|demi|-bd\b|bd(?:mt)?$|cmbx|sfbx|\bmedi(?:ital)?$|\.b\b/iu;
const NOT_BOLD = /semilight|demilight/iu;
const ITALIC = /ital|obli|slanted|-it\b|cmti|cmsl|sfti|sfsl/iu;
const MONO = /mono|courier|consol|typewriter|cmtt|sftt|inconsolata|menlo|\bcode\b|code-|lettergothic|lucidasanstyp/iu;

/** Derives the style from the PostScript name, the only place where most files encode it. */
export function parseFontStyle(font: { name?: unknown; bold?: unknown; black?: unknown; italic?: unknown }): FontStyle {
  const name = typeof font.name === "string" ? font.name.replace(/^[A-Z]{6}\+/u, "") : "";
  return {
    isBold: (BOLD.test(name) && !NOT_BOLD.test(name)) || font.bold === true || font.black === true,
    isItalic: ITALIC.test(name) || font.italic === true,
    isMono: MONO.test(name),
  };
}
