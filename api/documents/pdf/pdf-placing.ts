import type { PDFPageProxy } from "pdfjs-dist";
import { Util } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { TextItem, TextStyle } from "pdfjs-dist/types/src/display/api.d.ts";
import { spellLigatures } from "#shared/pdf/ligatures.ts";
import type { Direction, Frame, PlacedPage, PlacedText } from "#shared/pdf/placed-text.ts";

/** Style derived from a font's name and flags. */
export interface FontLook {
  isBold: boolean;
  isItalic: boolean;
  isMono: boolean;
}

const PLAIN: FontLook = { isBold: false, isItalic: false, isMono: false };

interface Placed extends PlacedText {
  direction: Direction;
}

export interface RawText {
  items: TextItem[];
  styles: Record<string, TextStyle>;
  looks: ReadonlyMap<string, FontLook>;
}

/** Maps the text of a PDF page to the axes that the layout uses. */
export function placePage(page: PDFPageProxy, raw: RawText): PlacedPage {
  const viewport = page.getViewport({ scale: 1 });
  const { width, height } = viewport;
  const frames = new Map<Direction, Frame>();
  let hasSpaceBefore = false;
  for (const item of raw.items) {
    const text = clean(item.str);
    if (text.trim() === "") {
      hasSpaceBefore ||= text !== "" || item.hasEOL;
      continue;
    }
    const matrix = Util.transform(viewport.transform, item.transform) as Matrix;
    const { direction, ...placed } = place(item, matrix, { width, height, raw });
    if (![placed.u, placed.v, placed.width, placed.size].every(Number.isFinite)) continue;
    const frame = frames.get(direction) ?? { direction, items: [] };
    frames.set(direction, frame);
    frame.items.push({ ...placed, text, hasSpaceBefore });
    hasSpaceBefore = item.hasEOL;
  }
  return { page: page.pageNumber, width, height, frames: [...frames.values()] };
}

// oxlint-disable-next-line no-control-regex -- they are what is removed
const UNWANTED = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFD-\uFFFF\u0640]|\p{Cs}/gu;

/** Removes control characters, lone surrogates and Arabic tatweel (letter-stretching strokes). */
function clean(text: string): string {
  return spellLigatures(text)
    .replaceAll(UNWANTED, "")
    .replaceAll(/ (?=[,.](?:\s|$))/gu, "");
}

type Matrix = [number, number, number, number, number, number];

interface Sheet {
  width: number;
  height: number;
  raw: RawText;
}

function place(item: TextItem, matrix: Matrix, sheet: Sheet): Omit<Placed, "text" | "hasSpaceBefore"> {
  const [a, b, c, d, x, y] = matrix;
  const isVertical = sheet.raw.styles[item.fontName]?.vertical === true;
  const direction = isVertical ? "down" : directionOf(a, b);
  const size = Math.hypot(c, d) || Math.hypot(a, b) || 1;
  const width = Math.max(0, isVertical ? item.height : item.width);
  const look = sheet.raw.looks.get(item.fontName) ?? PLAIN;
  return { ...alongLine(direction, x, y, sheet), direction, width, size, ...look, isRightToLeft: item.dir === "rtl" };
}

function directionOf(a: number, b: number): Direction {
  if (Math.abs(a) >= Math.abs(b)) return a >= 0 ? "right" : "left";
  return b > 0 ? "down" : "up";
}

function alongLine(direction: Direction, x: number, y: number, sheet: Sheet): { u: number; v: number } {
  if (direction === "left") return { u: sheet.width - x, v: sheet.height - y };
  if (direction === "down") return { u: y, v: sheet.width - x };
  return direction === "up" ? { u: sheet.height - y, v: x } : { u: x, v: y };
}

const BOLD = /bold|black|heavy|demi|-bd\b|bd(?:mt)?$|cmbx|sfbx|\bmedi(?:ital)?$|\.b\b/iu;
const NOT_BOLD = /semilight|demilight/iu;
const ITALIC = /ital|obli|slanted|-it\b|cmti|cmsl|sfti|sfsl/iu;
const MONO = /mono|courier|consol|typewriter|cmtt|sftt|inconsolata|menlo|\bcode\b|code-|lettergothic|lucidasanstyp/iu;

/** Derives the style from the PostScript name, the only place where most files encode it. */
export function lookOf(font: { name?: unknown; bold?: unknown; black?: unknown; italic?: unknown }): FontLook {
  const name = typeof font.name === "string" ? font.name.replace(/^[A-Z]{6}\+/u, "") : "";
  return {
    isBold: (BOLD.test(name) && !NOT_BOLD.test(name)) || font.bold === true || font.black === true,
    isItalic: ITALIC.test(name) || font.italic === true,
    isMono: MONO.test(name),
  };
}
