import type { Line } from "./lines.ts";
import type { PlacedText } from "./placed-text.ts";

export type TextRange = [number, number];

/** Text with its bold and italic ranges. */
export interface StyledText {
  text: string;
  bold: TextRange[];
  italic: TextRange[];
}

export const EMPTY_TEXT: StyledText = { text: "", bold: [], italic: [] };

/** In em: a gap this wide separates two words, and a much wider one two cells. */
const WORD_GAP = 0.16;
const CELL_GAP = 1.6;

/** One line as text: runs joined where they touch, with a tab between cells. */
export function writeLine(line: Line): StyledText {
  let written = EMPTY_TEXT;
  let last: PlacedText | undefined;
  for (const segment of line.segments) {
    for (const item of segment.items) {
      if (isNoteReference(item, line, written.text)) continue;
      const between = last ? separator(last, item, line.size) : "";
      written = joinStyled(written, between, runOf(item));
      last = item;
    }
  }
  return trimStyled(written);
}

function runOf(item: PlacedText): StyledText {
  const range: TextRange = [0, item.text.length];
  return { text: item.text, bold: item.isBold ? [range] : [], italic: item.isItalic ? [range] : [] };
}

const NOTE_REFERENCE = /^(?:\d{1,3}|[*∗†‡§])(?:,\s?\d{1,3})*$/u;
const TAIL_CHARS = 8;
/** A superscript number after one of these is an exponent. */
const FUNCTION = /(?:sin|cos|tan|log|exp|det|min|max|dim)$/u;

/**
 * A superscript number after a word or a full stop refers to a note; after a single letter or a bracket it is an
 * exponent.
 */
function isNoteReference(item: PlacedText, line: Line, before: string): boolean {
  if (item.size > 0.85 * line.size || item.v > line.v - 0.15 * line.size) return false;
  if (!NOTE_REFERENCE.test(item.text.trim())) return false;
  const tail = before.slice(-TAIL_CHARS);
  return !FUNCTION.test(tail) && /\p{L}{3}$|[.,;:!?”"’]$/u.test(tail);
}

function separator(last: PlacedText, next: PlacedText, lineSize: number): string {
  const em = Math.max(last.size, next.size);
  const forwards = next.u - (last.u + last.width);
  const backwards = last.u - (next.u + next.width);
  const gap = Math.max(forwards, backwards);
  if (gap > CELL_GAP * lineSize) return "\t";
  // A removed reference leaves its space before the full stop.
  if (gap < 0.5 * em && /^[,.](?:\s|$)/u.test(next.text)) return "";
  if (next.hasSpaceBefore) return " ";
  // Chinese and Japanese are set character by character; the gaps between them are not spaces.
  const minGap = isIdeographic(next.text) || isIdeographic(last.text) ? 0.6 : WORD_GAP;
  return gap > minGap * em ? " " : "";
}

const IDEOGRAPHIC = /[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/u;

export function isIdeographic(text: string): boolean {
  return IDEOGRAPHIC.test(text);
}

/** Appends `next` to `first`, with `between` in the middle unless there is white space already. */
export function joinStyled(first: StyledText, between: string, next: StyledText): StyledText {
  if (first.text === "") return next;
  const hasSpace = isSpace(first.text.at(-1)) || isSpace(next.text[0]);
  const glue = hasSpace && between !== "\t" && between !== "\n" ? "" : between;
  const shift = first.text.length + glue.length;
  return {
    text: first.text + glue + next.text,
    bold: mergeRanges(first.bold, next.bold, shift),
    italic: mergeRanges(first.italic, next.italic, shift),
  };
}

/** Two emphasised runs separated only by a space are one term. */
function mergeRanges(first: readonly TextRange[], next: readonly TextRange[], shift: number): TextRange[] {
  if (next.length === 0) return first as TextRange[];
  const merged = [...first];
  for (const [from, to] of next) {
    const last = merged.at(-1);
    if (last && from + shift - last[1] <= 1) merged[merged.length - 1] = [last[0], to + shift];
    else merged.push([from + shift, to + shift]);
  }
  return merged;
}

/** Removes the last `count` characters. */
export function dropEnd(styled: StyledText, count: number): StyledText {
  const length = styled.text.length - count;
  return { text: styled.text.slice(0, length), bold: clip(styled.bold, length), italic: clip(styled.italic, length) };
}

function clip(ranges: readonly TextRange[], length: number): TextRange[] {
  return ranges.filter(([from]) => from < length).map(([from, to]) => [from, Math.min(to, length)]);
}

/** Trims white space at both ends, and around emphasised ranges. */
export function trimStyled(styled: StyledText): StyledText {
  const start = styled.text.length - styled.text.trimStart().length;
  const text = styled.text.trim();
  const trim = (ranges: readonly TextRange[]): TextRange[] => ranges.flatMap((range) => trimRange(text, range, start));
  return { text, bold: trim(styled.bold), italic: trim(styled.italic) };
}

function trimRange(text: string, [from, to]: TextRange, start: number): TextRange[] {
  let first = Math.max(0, from - start);
  let last = Math.min(text.length, to - start);
  while (first < last && isSpace(text[first])) first++;
  while (last > first && isSpace(text[last - 1])) last--;
  return first < last ? [[first, last]] : [];
}

function isSpace(char: string | undefined): boolean {
  return char === " " || char === "\t" || char === "\n" || char === "\u00A0";
}
