import { type DocumentProfile, isSoftHyphen } from "./document-profile.ts";
import type { TextLine } from "./page-layout.ts";
import { dropEnd, EMPTY_TEXT, isIdeographic, joinStyled, type StyledText } from "./styled-text.ts";

/** Lines that belong together: a paragraph, a heading, a table row or a list item. */
export interface LineBlock {
  lines: TextLine[];
  size: number;
  isRow: boolean;
  isCode: boolean;
  /** Another column or part of the page begins here. */
  startsRegion: boolean;
}

export const LIST_MARKER = /^(?:[•◦▪‣∙●○■□➢✓·–—*-]|\(?\d{1,3}[.)]|\(?[a-zA-H]\)|[a-zA-E]\.)\s+\S/u;
const BULLET = /^[•◦▪‣∙●○■□➢✓·]/u;
const SENTENCE_END = /[.!?:;。！？…][\])"'”’»]*$/u;

interface Region {
  left: number;
  right: number;
  /** Typical baseline distance, as a multiple of the font size. */
  leading: number;
}

/** Groups a region's lines into blocks. */
export function toBlocks(lines: readonly TextLine[], profile: DocumentProfile): LineBlock[] {
  const region = measureRegion(lines);
  const { bodySize } = profile;
  const blocks: LineBlock[] = [];
  lines.forEach((line, index) => {
    const isRow = isTableRow(lines, index);
    const isCode = line.isMono && profile.isMonoMeaningful;
    const open = blocks.at(-1);
    const isSameKind = open !== undefined && !isRow && !open.isRow && open.isCode === isCode;
    if (isSameKind && !startsNewBlock({ open, line, after: lines[index + 1], region, bodySize })) open.lines.push(line);
    else blocks.push({ lines: [line], size: line.size, isRow, isCode, startsRegion: index === 0 });
  });
  return blocks;
}

function measureRegion(lines: readonly TextLine[]): Region {
  const lefts = lines.map((line) => line.u0).toSorted((a, b) => a - b);
  const rights = lines.map((line) => line.u1).toSorted((a, b) => a - b);
  const ratios: number[] = [];
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    if (next && Math.abs(next.size - line.size) < 0.05 * line.size) ratios.push((next.v - line.v) / line.size);
  });
  ratios.sort((a, b) => a - b);
  return {
    left: lefts[Math.floor(lefts.length * 0.1)] ?? 0,
    right: rights[Math.floor(rights.length * 0.9)] ?? 0,
    leading: Math.min(2.5, Math.max(1, ratios[Math.floor(ratios.length / 2)] ?? 1.2)),
  };
}

/** A single line with a wide gap may be a formula with its number, but two such lines in a row are a table. */
function isTableRow(lines: readonly TextLine[], index: number): boolean {
  const line = lines[index];
  if (!line?.hasCells || LIST_MARKER.test(line.text)) return false;
  const cells = line.text.split("\t").length;
  return cells > 2 || lines[index - 1]?.hasCells === true || lines[index + 1]?.hasCells === true;
}

interface LineBreakContext {
  open: LineBlock;
  line: TextLine;
  after: TextLine | undefined;
  region: Region;
  bodySize: number;
}

function startsNewBlock(context: LineBreakContext): boolean {
  const { open, line, bodySize } = context;
  const last = open.lines.at(-1);
  if (!last || isFarBelow(last, context)) return true;
  if (open.isCode) return false;
  if (line.startsWithNoteNumber && line.size < 0.95 * bodySize) return true;
  return (
    changesStyle(last, context) ||
    changesAlignment(last, context) ||
    startsItem(last, context) ||
    startsParagraph(last, context)
  );
}

function isFarBelow(last: TextLine, { line, region }: LineBreakContext): boolean {
  const distance = line.v - last.v;
  return distance > 1.28 * region.leading * Math.min(last.size, line.size) || distance < 0;
}

/** A centred line above text that fills the column is a heading, even without extra space between them. */
function changesAlignment(last: TextLine, { open, line, region }: LineBreakContext): boolean {
  if (open.lines.length > 3 || isCentred(line, region) || !fillsColumn(line, region)) return false;
  return open.lines.every((other) => isCentred(other, region)) && !isSentenceEnd(last.text);
}

function isCentred(line: TextLine, region: Region): boolean {
  const left = line.u0 - region.left;
  const right = region.right - line.u1;
  return left > 2 * line.size && right > 2 * line.size && Math.abs(left - right) < 2 * line.size;
}

function fillsColumn(line: TextLine, region: Region): boolean {
  return line.u1 - line.u0 > 0.9 * (region.right - region.left);
}

function changesStyle(last: TextLine, { open, line, region }: LineBreakContext): boolean {
  if (Math.abs(line.size - open.size) > 0.08 * open.size && !isFragment(last) && !isFragment(line)) return true;
  if (last.isBold === line.isBold) return false;
  // Inside a paragraph a line may happen to be all bold; a heading ends before its line does.
  const isHeadingAbove = open.lines.every((other) => other.isBold);
  if (isHeadingAbove) return /^\P{Ll}/u.test(line.text) || hadSpaceFor(last, line, region);
  return SENTENCE_END.test(last.text);
}

/** A line of a few characters, such as the limits of a sum, does not indicate a font size. */
function isFragment(line: TextLine): boolean {
  return line.text.length < 4;
}

function startsItem(last: TextLine, { open, line, region }: LineBreakContext): boolean {
  if (BULLET.test(line.text)) return true;
  const isInList = LIST_MARKER.test(open.lines[0]?.text ?? "");
  if (!LIST_MARKER.test(line.text)) return isInList && open.lines.length > 1 && line.u0 < last.u0 - 0.8 * line.size;
  return isInList || hadSpaceFor(last, line, region) || Math.abs(line.u0 - last.u0) > 0.5 * line.size;
}

/** Whether the first word of this line would have fitted on the previous line, so that line was ended on purpose. */
function hadSpaceFor(last: TextLine, line: TextLine, region: Region): boolean {
  const word = line.text.split(/\s/u, 1)[0]?.length ?? 0;
  const perChar = (line.u1 - line.u0) / Math.max(1, line.text.length);
  const freeWidth = line.isRightToLeft ? last.u0 - region.left : region.right - last.u1;
  return freeWidth > (word + 2) * perChar && !isIdeographic(line.text);
}

function startsParagraph(last: TextLine, context: LineBreakContext): boolean {
  const { line, region } = context;
  if (!isSentenceEnd(last.text)) return false;
  const startsUpper = /^[\P{L}\p{Lu}\p{Lt}\p{Lo}]/u.test(line.text);
  if (startsUpper && hadSpaceFor(last, line, region)) return true;
  return isIndented(last, context) || hasHangingIndent(last, context);
}

/** Whether this line is indented and the next line is not, as at the start of a paragraph. */
function isIndented(last: TextLine, { line, after }: LineBreakContext): boolean {
  const em = line.size;
  const indent = indentOf(last, line);
  const nextIndent = after ? indentOf(line, after) : -em;
  return indent > 0.7 * em && indent < 5 * em && nextIndent < -0.4 * em;
}

/** Hanging indent, as in references: the first line starts to the left of the others. */
function hasHangingIndent(last: TextLine, { open, line }: LineBreakContext): boolean {
  const first = open.lines[0];
  if (!first || open.lines.length < 2) return false;
  return indentOf(last, line) < -0.7 * line.size && Math.abs(first.u0 - line.u0) < 0.3 * line.size;
}

function indentOf(last: TextLine, line: TextLine): number {
  return line.isRightToLeft ? last.u1 - line.u1 : line.u0 - last.u0;
}

/** A block's lines as one text, with hyphenated words joined. */
export function writeBlock(block: LineBlock, profile: DocumentProfile): StyledText {
  let written = EMPTY_TEXT;
  for (const line of block.lines) {
    written = block.isCode
      ? joinStyled(written, written.text === "" ? "" : "\n", line)
      : joinLines(written, line, profile);
  }
  return written;
}

/** Joins two pieces of running text across a line, column or page break. */
export function joinLines(first: StyledText, next: StyledText, profile: DocumentProfile): StyledText {
  // Only the end is matched, because matching the whole text at every line would take quadratic time.
  const end = first.text.slice(-END_CHARS);
  if (isSoftHyphen(end, next.text, profile.hyphens)) return joinStyled(dropEnd(first, 1), "", next);
  if (/[\p{L}\d][-\u2010]$/u.test(end) && /^[\p{L}\d]/u.test(next.text)) return joinStyled(first, "", next);
  return joinStyled(first, isWithoutSpaces(first.text, next.text) ? "" : " ", next);
}

const END_CHARS = 60;

const WITHOUT_SPACES = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/u;

/** Scripts without spaces may break a line inside a word. */
function isWithoutSpaces(first: string, next: string): boolean {
  return WITHOUT_SPACES.test(first.slice(-1)) && WITHOUT_SPACES.test(next.slice(0, 1));
}

export function isSentenceEnd(text: string): boolean {
  return SENTENCE_END.test(text.slice(-END_CHARS));
}
