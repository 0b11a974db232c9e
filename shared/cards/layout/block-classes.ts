import type { Passage } from "#shared/pdf/schema.ts";

/** The class of a block of a source, decided before its sentences are read. */
export type BlockClass =
  | "heading"
  | "running_head"
  | "caption"
  | "footnote"
  | "table_row"
  | "list_item"
  | "objective"
  | "exercise"
  | "reference"
  | "code"
  | "markup"
  | "formula"
  | "prose";

export interface LayoutBlock {
  passage: Passage;
  blockClass: BlockClass;
}

/** "Figure 4-1: The layout in memory". */
const CAPTION =
  /^\s*(?:figure|fig\.?|table|listing|algorithm|box|exhibit|chart|plate|scheme|image|photo)\s+[\dIVX]+(?:[-.–]\d+)*[a-z]?\s*[:.|–—-]|\(credit\b|\bcredit\s*:/i;
/** An entry of a bibliography, an address or a licence. */
const REFERENCE =
  /^\s*\[\d+\]\s+\p{Lu}|\bdoi\s*[:.]|\bISBN\b|©|\(c\)\s+\d{4}|\ball rights reserved\b|\bpp?\.\s*\d+\s*[-–]\s*\d+|\bvol\.\s*\d+|\S+@\S+\.\S+|\breceived (?:his|her|the|a) (?:B\.|M\.|Ph|degree|bachelor|master|doctor)/iu;
/** A line of an index or a table of contents, or a link with a few words. */
const INDEX_LINE = /\(lines?\s+\d+\)\.?\s*$|(?:\.\s?){4,}\s*\d+\s*$/i;
const LINK = /https?:\/\/|www\./;
/** Left over from the source's format: a tag, a directive, a comment. */
const MARKUP = /^(?:<\/?[a-z][^<>]*>|<!--|:{3,}|!{3} |\?{3} |={3} "|\{[%:#])|^[#.]\w[\w-]* \{|-->\s*$/i;
/** "In this chapter, you will learn about:", "By the end of this section, you will be able to". */
const OBJECTIVES =
  /\byou (?:will|should|can expect to) (?:be able to|learn|explore|understand|know)\b|^(?:learning|chapter) (?:objectives|outcomes|outline)\b/i;
/** "Define the following notions:", "Question 3.", "(a) Show that". */
const EXERCISE =
  /^(?:exercise|problem|question)s? ?(?:\d|[:.])|^(?:(?:\(?[a-z\d]{1,2}[.)] )?(?:define|show|prove|compute|calculate|solve|explain|describe|discuss|list|name|state|identify|compare|sketch|determine) (?:the following|that|how|why|whether|each|what)\b)|\bwhich of the following\b/i;
const QUESTION = /[?？؟]["”’)]*\s*$/;
/** A longer block only ends with a question. */
const SHORT_BLOCK = 160;
const STRONG_SIGNS = /[=<>≤≥≈∝→⇔∑∏∫∂√∇]/u;
const SIGNS = /[=<>≤≥≈∝→⇔∑∏∫∂√∇∈∩∪±×·^_|{}\\[\]]/gu;

/** Whether a block is a formula or a part of one, because it has few words and many signs or single letters. */
function isFormula(text: string): boolean {
  const bare = text.trim();
  if (/^\$\$[^]*\$\$\.?$/.test(bare)) return true;
  if (bare.length > 300) return false;
  const words = bare.match(/\p{L}{3,}/gu)?.length ?? 0;
  const signs = bare.match(SIGNS)?.length ?? 0;
  if (STRONG_SIGNS.test(bare)) return words <= 2 + signs / 2 && words <= 6;
  return words === 0 && /\d|\p{L}/u.test(bare) && bare.length < 40;
}

function classOfText(text: string): BlockClass | undefined {
  const start = text.slice(0, 4000);
  if (CAPTION.test(start)) return "caption";
  if (REFERENCE.test(start) || INDEX_LINE.test(text) || (text.length < 200 && LINK.test(text))) return "reference";
  if (MARKUP.test(text.trim()) || !/^["“‘'(\s|]*[\p{L}\p{N}•◦▪–—*-]/u.test(text))
    return !MARKUP.test(text.trim()) && isFormula(text) ? "formula" : "markup";
  if (isFormula(text)) return "formula";
  return undefined;
}

const BY_KIND: Readonly<Partial<Record<Passage["kind"], BlockClass>>> = {
  heading: "heading",
  running_head: "running_head",
  caption: "caption",
  footnote: "footnote",
  code: "code",
};

/** Digits are replaced, because page numbers differ. */
const headKey = (text: string) => text.replaceAll(/\d+/g, "#").trim();
const SAME_HEIGHT = 3;

/** Headings at the same height on several pages, which are page headers and footers instead of section titles. */
function repeatedHeads(passages: readonly Passage[]): ReadonlySet<Passage> {
  const byKey = new Map<string, Passage[]>();
  for (const passage of passages)
    if (passage.kind === "heading" && passage.locator.rect !== undefined) {
      const key = headKey(passage.text);
      byKey.set(key, [...(byKey.get(key) ?? []), passage]);
    }
  const heads = new Set<Passage>();
  for (const group of byKey.values())
    for (const heading of group) {
      const [, top = 0] = heading.locator.rect ?? [];
      const isRepeated = group.some(
        ({ locator: { page, rect } }) =>
          page !== heading.locator.page && Math.abs((rect?.[1] ?? Number.POSITIVE_INFINITY) - top) <= SAME_HEIGHT,
      );
      if (isRepeated) heads.add(heading);
    }
  return heads;
}

/** "12  we do that;": a line of a listing begins with its number. */
const NUMBERED_LINE = /^(\d{1,3})[\t ]\s*\S/;
const CODE_SIGNS = /\/\*|\*\/|(?<!:)\/\/|[{}]|;\s*$|:=|==/;
const MIN_LISTING_LINES = 4;
/** Numbers may be missing, because a parser may have joined two lines. */
const MAX_STEP = 3;

/** Consecutive blocks that may be the lines of a listing. */
interface NumberedRun {
  blocks: Passage[];
  last: number;
  lines: number;
  /** The last block has no number of its own. */
  isBroken: boolean;
}

/** Whether a block is the next line of a run, or the rest of a line that broke and has no number of its own. */
function continuesRun({ last, lines, isBroken }: NumberedRun, { text, kind }: Passage, number: number): boolean {
  if (lines === 0 || kind === "heading") return false;
  return Number.isNaN(number) ? !isBroken && text.length < 80 : number > last && number <= last + MAX_STEP;
}

/** Runs of blocks that begin with rising numbers. */
function numberedRuns(passages: readonly Passage[]): NumberedRun[] {
  const runs: NumberedRun[] = [];
  let run: NumberedRun = { blocks: [], last: 0, lines: 0, isBroken: false };
  for (const passage of passages) {
    const number = Number(NUMBERED_LINE.exec(passage.text)?.[1] ?? Number.NaN);
    if (!continuesRun(run, passage, number)) {
      run = { blocks: [], last: 0, lines: 0, isBroken: false };
      runs.push(run);
    }
    if (run.lines === 0 && number !== 1) continue;
    run.blocks.push(passage);
    run.isBroken = Number.isNaN(number);
    if (!run.isBroken) Object.assign(run, { last: number, lines: run.lines + 1 });
  }
  return runs;
}

/** The blocks of listings: lines with rising numbers, some of which have the signs of code. */
const listingLines = (passages: readonly Passage[]): ReadonlySet<Passage> =>
  new Set(
    numberedRuns(passages)
      .filter(({ blocks, lines }) => lines >= MIN_LISTING_LINES && blocks.some(({ text }) => CODE_SIGNS.test(text)))
      .flatMap(({ blocks }) => blocks),
  );

/** The class that a block gives to the list items below it. */
function classOfItemsBelow({ kind, text }: Passage): BlockClass | undefined {
  if (kind === "heading") return OBJECTIVES.test(text) ? "objective" : undefined;
  if (QUESTION.test(text) || EXERCISE.test(text)) return "exercise";
  return OBJECTIVES.test(text) && text.length < SHORT_BLOCK ? "objective" : undefined;
}

const classOfKind = (kind: Passage["kind"]): BlockClass =>
  kind === "table_row" || kind === "list_item" ? kind : "prose";

const isFormulaTitle = ({ kind, text }: Passage) => kind === "heading" && /[√∑∏∫∂=]/u.test(text);

/** Classes the blocks of a source in reading order; items take the class of the line that opens their list. */
export function readLayout(passages: readonly Passage[]): LayoutBlock[] {
  let below: BlockClass | undefined;
  const heads = repeatedHeads(passages);
  const listings = listingLines(passages);
  return passages.map((passage) => {
    const { kind, text } = passage;
    const known = heads.has(passage) ? "running_head" : listings.has(passage) ? "code" : BY_KIND[kind];
    if (isFormulaTitle(passage)) return { passage, blockClass: "formula" };
    if (kind === "list_item" && below !== undefined) return { passage, blockClass: below };
    if (kind === "heading" || known === undefined) below = classOfItemsBelow(passage);
    if (known !== undefined) return { passage, blockClass: known };
    const inherited = text.length < SHORT_BLOCK ? below : undefined;
    return { passage, blockClass: classOfText(text) ?? inherited ?? classOfKind(kind) };
  });
}
