import { type LineBlock, LIST_MARKER } from "./layout/blocks.ts";
import { type DocumentProfile, HEADING_RATIO } from "./layout/document-profile.ts";
import type { PassageKind } from "./schema.ts";

interface BlockKind {
  kind: PassageKind;
  level?: number;
}

const CAPTION =
  /^(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)|tabelle|box|scheme|chart|plate|exhibit|listing)\s*[A-Z]?\d/iu;
const NOTE_NUMBER = /^(?:\d{1,3}|[*∗†‡§¹²³])[\s.)]*\S/u;
/** An image credit that ends with an unmatched quotation mark: an image title left in the text by a converter. */
const PICTURE_TITLE = /(?:\(credit\b[^)]*\)?|[^"“]{0,2000})"\)$/iu;

interface BlockPosition {
  /** 0 at the top of the page, 1 at its bottom. */
  height: number;
  isAfterFootnote: boolean;
}

/** Classifies a block by its typography, position and first characters. */
export function classifyBlock(
  block: LineBlock,
  text: string,
  position: BlockPosition,
  profile: DocumentProfile,
): BlockKind {
  if (block.isRow) return { kind: "table_row" };
  if (block.isCode) return { kind: "code" };
  if (isCaption(block, text, profile)) return { kind: "caption" };
  const level = headingLevel(block, text, profile);
  if (level !== undefined) return { kind: "heading", level };
  if (isFootnote(block, text, position, profile)) return { kind: "footnote" };
  if (LIST_MARKER.test(text)) return { kind: "list_item" };
  return { kind: isPictureTitle(text) ? "caption" : "paragraph" };
}

/** "Table 2 compares …" begins a sentence of the text. */
const FIGURE_SENTENCE = /^\S+\s+[A-Z]?\d[\d.-]*\s+\p{Ll}/u;

function isCaption(block: LineBlock, text: string, profile: DocumentProfile): boolean {
  if (!CAPTION.test(text) || isLarge(block, profile)) return false;
  return !FIGURE_SENTENCE.test(text) || block.size < 0.95 * profile.bodySize;
}

function isPictureTitle(text: string): boolean {
  if (!text.endsWith('")')) return false;
  return (text.split('"').length - 1) % 2 === 1 && PICTURE_TITLE.test(text);
}

function isLarge(block: LineBlock, profile: DocumentProfile): boolean {
  return block.size >= profile.bodySize * HEADING_RATIO;
}

function isFootnote(block: LineBlock, text: string, position: BlockPosition, profile: DocumentProfile): boolean {
  const isSmall = block.size <= profile.bodySize * 0.92;
  return isSmall && position.height > 0.5 && (position.isAfterFootnote || NOTE_NUMBER.test(text));
}

function headingLevel(block: LineBlock, text: string, profile: DocumentProfile): number | undefined {
  if (!couldBeHeading(block, text)) return undefined;
  if (isLarge(block, profile)) return levelOfSize(block.size, profile);
  if (block.size < profile.bodySize * 0.88 || text.length > 120) return undefined;
  if (/[.,;:]$/u.test(text) || /^\p{Ll}/u.test(text)) return undefined;
  const below = Math.min(5, profile.headingSizes.length + 1);
  if (profile.isBoldMeaningful && block.lines.every((line) => line.isBold)) return below;
  return isPlainHeading(block, text) ? below + 1 : undefined;
}

function couldBeHeading(block: LineBlock, text: string): boolean {
  if (text.length > 240 || block.lines.length > 5) return false;
  if (!/\p{L}{2}|^\p{Lo}+$/u.test(text)) return false;
  return !/[,;]$/u.test(text) && !/^[•◦▪‣∙●○■□➢✓]/u.test(text);
}

/** Whether a block is a single line in italics, or with a number and capitals, like section headings in papers. */
function isPlainHeading(block: LineBlock, text: string): boolean {
  if (block.lines.length > 1 || text.length > 80) return false;
  if (/^[IVX]{1,5}\.\s+\p{Lu}/u.test(text)) return true;
  if (/^(?:\d+(?:\.\d+)*\.?)\s+[\p{Lu}\s\d,&:-]{4,}$/u.test(text)) return true;
  return block.lines.every((line) => line.isItalic) && /^(?:[A-Z]\.|\d+(?:\.\d+)+\.?)\s/u.test(text);
}

function levelOfSize(size: number, profile: DocumentProfile): number {
  const at = profile.headingSizes.findIndex((other) => size >= other * 0.98);
  return Math.min(5, (at === -1 ? profile.headingSizes.length - 1 : at) + 1);
}
