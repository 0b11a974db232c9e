import type { Passage } from "#shared/pdf/schema.ts";

export interface QuotePosition {
  passageId: string;
  page: number | undefined;
  /** UTF-16 offsets in the passage's text. */
  start: number;
  end: number;
}

interface Folded {
  key: string;
  /** For each code unit of the key, its offset in the original text. */
  from: Uint32Array;
}

interface SourceIndex {
  key: string;
  /** Where each passage starts in the key, ascending. */
  starts: number[];
  passages: Passage[];
  folded: Folded[];
}

const DROPPED = /[\s\p{Pd}\u00AD\u200B-\u200D\u2060\uFEFF]/u;
const QUOTATION_MARK = /[\u2018-\u201F\u2039\u203A\u00AB\u00BB`´"]/u;

function foldCharacter(character: string): string {
  if (DROPPED.test(character)) return "";
  if (QUOTATION_MARK.test(character)) return "'";
  const folded = character.normalize("NFKC").toLowerCase();
  return folded.length === 1 ? folded : folded.replace(/\s/gu, "");
}

/** Removes differences in case, spaces, hyphens, quotation marks and typography, which PDFs change at will. */
function fold(text: string): Folded {
  const parts: string[] = [];
  const from: number[] = [];
  let offset = 0;
  for (const character of text) {
    const code = character.charCodeAt(0);
    const isPlain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    const folded = isPlain ? character : foldCharacter(character);
    if (folded !== "") parts.push(folded);
    for (let i = 0; i < folded.length; i++) from.push(offset);
    offset += character.length;
  }
  return { key: parts.join(""), from: Uint32Array.from(from) };
}

const BODY = new Set(["heading", "paragraph", "list_item", "table_row", "code"]);
const indexes = new WeakMap<readonly Passage[], SourceIndex>();

/** Body text first, so that a quote can span a page break with a running head. */
function indexOf(passages: readonly Passage[]): SourceIndex {
  const known = indexes.get(passages);
  if (known) return known;
  const ordered = [...passages.filter((p) => BODY.has(p.kind)), ...passages.filter((p) => !BODY.has(p.kind))];
  const index: SourceIndex = { key: "", starts: [], passages: ordered, folded: ordered.map((p) => fold(p.text)) };
  let length = 0;
  for (const { key } of index.folded) {
    index.starts.push(length);
    length += key.length;
  }
  index.key = index.folded.map((f) => f.key).join("");
  indexes.set(passages, index);
  return index;
}

function passageAt(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

const LETTER = /[\p{L}\p{N}]/u;
const joinsWord = (text: string, at: number) => LETTER.test(text[at - 1] ?? " ") && LETTER.test(text[at] ?? " ");

/** A quote may span several passages, because each item of a list is one. */
const MAX_PASSAGES = 8;

/** A shorter quote would match almost anywhere. */
const MIN_QUOTE_LETTERS = 8;

/** The position of an exact quote, ignoring spaces, hyphens, case and quotation marks; undefined if it isn't found. */
export function findExactQuote(passages: readonly Passage[], quote: string): QuotePosition | undefined {
  const normalisedQuote = fold(quote).key.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  if (normalisedQuote.length < MIN_QUOTE_LETTERS) return undefined;
  const index = indexOf(passages);
  for (let at = index.key.indexOf(normalisedQuote); at !== -1; at = index.key.indexOf(normalisedQuote, at + 1)) {
    const position = positionOf(index, at, at + normalisedQuote.length);
    if (position) return position;
  }
  return undefined;
}

function positionOf(index: SourceIndex, from: number, to: number): QuotePosition | undefined {
  const first = passageAt(index.starts, from);
  const last = passageAt(index.starts, to - 1);
  const passage = index.passages[first];
  const folded = index.folded[first];
  if (!passage || !folded || last - first > MAX_PASSAGES) return undefined;
  const origin = index.starts[first] ?? 0;
  const start = folded.from[from - origin] ?? 0;
  const end = last === first ? (folded.from[to - 1 - origin] ?? 0) + 1 : passage.text.length;
  if (joinsWord(passage.text, start) || (last === first && joinsWord(passage.text, end))) return undefined;
  return { passageId: passage.id, page: passage.locator.page, start, end };
}
