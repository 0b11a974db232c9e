import { joinAcrossPages, trimInlineHeadings } from "./passage-cleanup.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A heading with the text under it. */
export interface Section {
  title: string;
  /** The headings above it, highest first, its own last. */
  path: readonly string[];
  passages: Passage[];
}

const BACK_MATTER =
  /^(?:\d+(?:\.\d+)*\.?\s+)?(?:references?|bibliography|works cited|literature(?: cited)?|acknowledge?ments?|further reading|suggested reading|about the authors?|author (?:biograph\w+|information|contributions?)|biograph\w+|contributors?|index|credits?|copyright\b.*|licen[cs]e|.*\b(?:gnu|mit|apache|bsd|creative commons|documentation|general public|end[- ]user|software) .{0,30}licen[cs]e\b.*|appendi(?:x|ces)\b.*|(?:review|practice|discussion|study|critical thinking|visual connection) questions|exercises?|problems|homework|answers?(?: key)?|solutions?|multiple choice|(?:table of )?contents|conflicts? of interest|funding|declarations?|disclaimer|learning (?:objectives|outcomes)|objectives)\s*:?$/i;

/** Titles of bibliographies, credits, addresses and licences. */
const NON_CONTENT_TITLES =
  /\(credit\b|\bcredit\s*:|^\s*\[\d+\]\s+\p{Lu}|\bdoi\s*[:.]|\bISBN\b|©|\(c\)\s+\d{4}|\ball rights reserved\b|\bpp?\.\s*\d+\s*[-–]\s*\d+|\bvol\.\s*\d+|\S+@\S+\.\S+|\breceived (?:his|her|the|a) (?:B\.|M\.|Ph|degree|bachelor|master|doctor)/iu;

const TEXT_KINDS = new Set<Passage["kind"]>(["paragraph", "list_item", "table_row"]);
const isBody = (p: Passage) => TEXT_KINDS.has(p.kind);

/** "Figure 4-1: The layout in memory": a caption isn't a sentence of the text. */
const CAPTION =
  /^\s*(?:figure|fig\.?|table|listing|box|exhibit|chart|plate|scheme|image|photo)\s+[\dIVX]+(?:[-.–]\d+)*[a-z]?\s*[:.|–—-]/i;

/** A line of an index or a table of contents. */
const INDEX_LINE = /\(lines?\s+\d+\)\.?\s*$|(?:\.\s?){4,}\s*\d+\s*$/i;

/** A link with a few words isn't a paragraph. */
const isLink = (text: string) => text.length < 200 && /https?:\/\/|www\./.test(text);

function isContent({ text }: Passage): boolean {
  if (NON_CONTENT_TITLES.test(text.slice(0, 4000)) || CAPTION.test(text) || INDEX_LINE.test(text) || isLink(text))
    return false;
  return /^["“‘'(\s]*[\p{L}\p{N}]/u.test(text) && text.trim().length > 12;
}

const isQuestion = (text: string) => /\?["”’)]*\s*$/.test(text) || /\bwhich of the following\b/i.test(text);

/** Multiple-choice options are mostly false. */
function withoutOptions(passages: readonly Passage[]): Passage[] {
  let isExercise = false;
  return passages.filter((passage) => {
    const isItem = passage.kind === "list_item";
    isExercise = isQuestion(passage.text) || (isItem && isExercise);
    return !(isItem && isExercise);
  });
}

/** A text without headings is split into parts, so that its first cards come early. */
const MAX_PASSAGES = 25;

class SectionReader {
  readonly sections: Section[] = [];
  readonly skipped: { title: string; page: number | null }[] = [];
  #above: { text: string; level: number }[] = [];
  /** The level of the back-matter heading above, or 0. */
  #skipBelow = 0;

  heading({ text, level = 6, locator }: Passage) {
    const title = text.trim();
    this.#above = [...this.#above.filter((one) => one.level < level), { text: title, level }];
    if (this.#skipBelow === 0 || level <= this.#skipBelow) this.#skipBelow = BACK_MATTER.test(title) ? level : 0;
    if (this.#skipBelow === level) this.skipped.push({ title, page: locator.page ?? null });
    this.#open();
  }

  body(passage: Passage) {
    if (this.#skipBelow !== 0 || !isContent(passage)) return;
    if ((this.sections.at(-1)?.passages.length ?? MAX_PASSAGES) >= MAX_PASSAGES) this.#open();
    this.sections.at(-1)?.passages.push(passage);
  }

  #open() {
    const path = this.#above.map(({ text }) => text);
    this.sections.push({ title: path.at(-1) ?? "", path, passages: [] });
  }
}

/** Sections to learn from, in reading order, without references, exercises, credits and front matter. */
export function readSections(passages: readonly Passage[]): Section[] {
  return readAll(passages).sections.filter((s) => s.passages.length > 0);
}

/** Titles of the sections left out. */
export const skippedTitles = (passages: readonly Passage[]) => readAll(passages).skipped.slice(0, 50);

function readAll(passages: readonly Passage[]): SectionReader {
  const reader = new SectionReader();
  const content = joinAcrossPages(passages.filter((p) => isBody(p) || p.kind === "heading"));
  for (const passage of withoutOptions(trimInlineHeadings(content))) {
    if (passage.kind === "heading") reader.heading(passage);
    else reader.body(passage);
  }
  return reader;
}
