import type { Passage, PassageKind } from "../schema.ts";
import type { StyledText } from "../layout/styled-text.ts";

/** A block of a text without pages. */
export interface FlowBlock extends StyledText {
  kind: PassageKind;
  level?: number;
  /** For speaker notes: the heading that separates them from the slide. */
  notesHeading?: string;
  startMs?: number;
  endMs?: number;
}

export interface FlowPage {
  page: number;
  passages: Passage[];
}

/** Sections are cut at the length of a printed page, so that plan limits count them like pages. */
const MAX_SECTION_CHARS = 3_000;
/** A chapter starts a section, unless the previous one is only a title or a few lines. */
const MIN_SECTION_CHARS = 500;
const CHAPTER_LEVEL = 2;

/** Splits text without pages into sections that count as pages: at chapters, and where a section grows too long. */
export function splitIntoSections(blocks: readonly FlowBlock[]): FlowBlock[][] {
  const sections: FlowBlock[][] = [];
  let chars = 0;
  let open: FlowBlock[] = [];
  for (const block of blocks) {
    const isChapter = block.kind === "heading" && (block.level ?? CHAPTER_LEVEL) <= CHAPTER_LEVEL;
    const isFull = chars + block.text.length > MAX_SECTION_CHARS && block.kind !== "footnote";
    if (open.length > 0 && ((isChapter && chars >= MIN_SECTION_CHARS) || isFull)) {
      const heading = isFull ? popHeadings(open) : [];
      if (open.length > 0) sections.push(open);
      open = heading;
      chars = 0;
    }
    open.push(block);
    chars += block.text.length;
  }
  if (open.length > 0) sections.push(open);
  return sections;
}

/** A heading belongs with the text below it. */
function popHeadings(open: FlowBlock[]): FlowBlock[] {
  const headings: FlowBlock[] = [];
  while (open.at(-1)?.kind === "heading") headings.unshift(...open.splice(-1));
  return headings;
}

/** Converts blocks into passages with page, nearest heading and times; headings do not carry over between slides. */
export function toFlowPages(pages: readonly (readonly FlowBlock[])[], areSlides: boolean): FlowPage[] {
  let heading: string | undefined;
  return pages.map((blocks, index) => {
    const page = index + 1;
    if (areSlides) heading = undefined;
    const passages = blocks.map((block, at) => {
      if (block.kind === "heading") heading = block.text;
      return toPassage(block, { id: `p${page}.${at + 1}`, page, heading });
    });
    return { page, passages };
  });
}

function toPassage(block: FlowBlock, position: { id: string; page: number; heading: string | undefined }): Passage {
  const { kind, level, text, bold, italic, notesHeading, startMs, endMs } = block;
  const heading = notesHeading ?? (kind === "heading" ? undefined : position.heading);
  return {
    id: position.id,
    text,
    kind,
    ...(level === undefined ? {} : { level }),
    bold,
    italic,
    locator: {
      page: position.page,
      ...(heading === undefined ? {} : { heading }),
      ...(startMs === undefined ? {} : { startMs }),
      ...(endMs === undefined ? {} : { endMs }),
    },
  };
}
