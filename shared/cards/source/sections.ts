import { type LayoutBlock, type BlockClass, readLayout } from "../layout/block-classes.ts";
import { joinAcrossPages, splitPoints, trimInlineHeadings } from "./passage-cleanup.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A heading with the text under it. */
export interface Section {
  title: string;
  /** The headings above it, highest first, its own last. */
  path: readonly string[];
  /** The passages that are read sentence by sentence. */
  passages: Passage[];
  /** The blocks of these passages, with the tables, formulas and captions between them. */
  blocks: LayoutBlock[];
}

const BACK_MATTER =
  /^(?:\d+(?:\.\d+)*\.?\s+)?(?:references?|bibliography|works cited|literature(?: cited)?|acknowledge?ments?|further reading|suggested reading|about the authors?|author (?:biograph\w+|information|contributions?)|biograph\w+|contributors?|index|credits?|copyright\b.*|licen[cs]e|.*\b(?:gnu|mit|apache|bsd|creative commons|documentation|general public|end[- ]user|software) .{0,30}licen[cs]e\b.*|appendi(?:x|ces)\b.*|(?:review|practice|discussion|study|critical thinking|visual connection|personal application|self-check) questions?|exercises?|problems|homework|answers?(?: key)?|solutions?|multiple choice|(?:table of )?contents|conflicts? of interest|funding|declarations?|disclaimer|learning (?:objectives|outcomes)|objectives)\s*:?$/i;
/** Whether a heading is that of a list of works, exercises or another part without the subject's matter. */
export const isBackMatter = (heading: string): boolean => BACK_MATTER.test(heading);

/** Blocks with sentences to learn from. */
const SENTENCE_BLOCKS = new Set<BlockClass>(["prose", "list_item"]);
/** Blocks without sentences, from which other cards are made. */
const STRUCTURES = new Set<BlockClass>(["table_row", "formula", "caption"]);

const MIN_LETTERS = 12;
/** These may stand between two halves of a paragraph on a page. Without them the halves can be joined. */
const LEFT_OUT = new Set<Passage["kind"]>(["running_head", "footnote", "code"]);

/** A text without headings is split into parts, so that its first cards come early. */
const MAX_PASSAGES = 25;

class SectionReader {
  readonly sections: Section[] = [];
  readonly skipped: { title: string; page: number | null }[] = [];
  #above: { text: string; level: number }[] = [];
  /** The level of the back-matter heading above, or 0. */
  #skipBelow = 0;

  addHeading({ text, level = 6, locator }: Passage) {
    const title = text.trim();
    this.#above = [...this.#above.filter((heading) => heading.level < level), { text: title, level }];
    if (this.#skipBelow === 0 || level <= this.#skipBelow) this.#skipBelow = isBackMatter(title) ? level : 0;
    if (this.#skipBelow === level) this.skipped.push({ title, page: locator.page ?? null });
    this.#open();
  }

  addBody(block: LayoutBlock) {
    const { passage, blockClass } = block;
    if (this.#skipBelow !== 0 || !(SENTENCE_BLOCKS.has(blockClass) || STRUCTURES.has(blockClass))) return;
    const hasSentences = SENTENCE_BLOCKS.has(blockClass) && passage.text.trim().length > MIN_LETTERS;
    const section = this.#sectionFor(hasSentences);
    section?.blocks.push(block);
    if (hasSentences) section?.passages.push(passage);
  }

  /** The open section, or a new section if the open one is full. */
  #sectionFor(hasSentences: boolean): Section | undefined {
    const count = this.sections.at(-1)?.passages.length;
    if (count === undefined || (hasSentences && count >= MAX_PASSAGES)) this.#open();
    return this.sections.at(-1);
  }

  #open() {
    const path = this.#above.map(({ text }) => text);
    this.sections.push({ title: path.at(-1) ?? "", path, passages: [], blocks: [] });
  }
}

/** Sections to learn from, in reading order, without references, exercises, credits and front matter. */
export function readSections(passages: readonly Passage[]): Section[] {
  return readAll(passages).sections.filter(
    ({ passages: sentences, blocks }) =>
      sentences.length > 0 || blocks.some(({ blockClass }) => blockClass === "table_row" || blockClass === "list_item"),
  );
}

/** Titles of the sections left out. */
export const skippedTitles = (passages: readonly Passage[]) => readAll(passages).skipped.slice(0, 50);

function readAll(passages: readonly Passage[]): SectionReader {
  const reader = new SectionReader();
  const body = joinAcrossPages(passages.filter((p) => !LEFT_OUT.has(p.kind)));
  for (const block of readLayout(splitPoints(trimInlineHeadings(body)))) {
    if (block.blockClass === "heading") reader.addHeading(block.passage);
    else reader.addBody(block);
  }
  return reader;
}
