import { type LineBlock, isSentenceEnd, joinLines, toBlocks, writeBlock } from "./layout/blocks.ts";
import { type DocumentProfile, edgeLines, runningHeadKey } from "./layout/document-profile.ts";
import type { LaidFrame, LaidPage, TextLine } from "./layout/page-layout.ts";
import { classifyBlock } from "./passage-kinds.ts";
import { toPageRect } from "./layout/placed-text.ts";
import type { Passage } from "./schema.ts";
import type { StyledText } from "./layout/styled-text.ts";

interface Draft extends StyledText {
  passage: Omit<Passage, "text" | "bold" | "italic">;
  size: number;
  startsRegion: boolean;
  /** Whether the last line is as long as the others, so that the paragraph may continue elsewhere. */
  endsAtFullWidth: boolean;
}

export interface PageOfPassages {
  page: number;
  passages: Passage[];
}

/**
 * Converts laid-out pages, added in order, into passages. A page is returned once it is known whether its last
 * paragraph continues on the next page.
 */
export class PassageAssembler {
  readonly #profile: DocumentProfile;
  #pending: { page: number; drafts: Draft[] } | undefined;

  constructor(profile: DocumentProfile) {
    this.#profile = profile;
  }

  addPage(laid: LaidPage): PageOfPassages | undefined {
    const drafts = mergeColumns(draftPage(laid, this.#profile), this.#profile);
    const before = this.#pending;
    if (before) this.#joinOverPageEnd(before.drafts, drafts);
    this.#pending = { page: laid.page.page, drafts };
    return before && finishPage(before.page, before.drafts);
  }

  finish(): PageOfPassages | undefined {
    const last = this.#pending;
    this.#pending = undefined;
    return last && finishPage(last.page, last.drafts);
  }

  #joinOverPageEnd(before: Draft[], after: Draft[]): void {
    const last = before.findLast(isRunningText);
    const first = after.find(isRunningText);
    if (!last || !first || !isContinuedBy(last, first)) return;
    mergeInto(last, first, this.#profile);
    after.splice(after.indexOf(first), 1);
  }
}

/** Only headings on the same page are used, because a page must give the same result in any selection of pages. */
function finishPage(page: number, drafts: readonly Draft[]): PageOfPassages {
  let heading: string | undefined;
  const passages = drafts.map(({ passage, text, bold, italic }) => {
    if (passage.kind === "heading") heading = text;
    const isUnder = heading !== undefined && passage.kind !== "heading" && passage.kind !== "running_head";
    const locator = isUnder ? { ...passage.locator, heading } : passage.locator;
    return { ...passage, locator, text, bold, italic };
  });
  return { page, passages };
}

/** Captions, footnotes and running heads do not end a paragraph. */
function isRunningText({ passage: { kind } }: Draft): boolean {
  return kind === "paragraph" || kind === "list_item" || kind === "heading" || kind === "code" || kind === "table_row";
}

/** Minimum length of a text line that may continue on the next page. */
const LINE_CHARS = 30;

function isContinuedBy(last: Draft, next: Draft): boolean {
  const isText = last.passage.kind === "paragraph" || last.passage.kind === "list_item";
  if (!isText || next.passage.kind !== "paragraph") return false;
  if (!isSameSize(last, next) || isSentenceEnd(last.text)) return false;
  return last.endsAtFullWidth || (/^\p{Ll}/u.test(next.text) && last.text.length >= LINE_CHARS);
}

function isSameSize(last: Draft, next: Draft): boolean {
  return Math.abs(last.size - next.size) <= 0.06 * last.size;
}

function mergeInto(last: Draft, next: Draft, profile: DocumentProfile): void {
  Object.assign(last, joinLines(last, next, profile), { endsAtFullWidth: next.endsAtFullWidth });
}

/** Joins a paragraph that continues in the next column, even if a figure with its caption is above its second part. */
function mergeColumns(drafts: readonly Draft[], profile: DocumentProfile): Draft[] {
  const merged: Draft[] = [];
  let unfinished: Draft | undefined;
  for (const draft of drafts) {
    if (draft.startsRegion) unfinished = merged.findLast((other) => isRunningText(other) && !isLabel(other));
    if (unfinished && isRunningText(draft)) {
      const canContinue = draft.startsRegion || /^\p{Ll}/u.test(draft.text);
      if (canContinue && isContinuedBy(unfinished, draft)) {
        mergeInto(unfinished, draft, profile);
        unfinished = undefined;
        continue;
      }
      if (!isLabel(draft) && isSameSize(unfinished, draft)) unfinished = undefined;
    }
    merged.push(draft);
  }
  return merged;
}

/** A few isolated words, such as a chart's axis labels. */
function isLabel({ passage: { kind }, text }: Draft): boolean {
  return (kind === "paragraph" || kind === "table_row") && text.length < 2 * LINE_CHARS && !isSentenceEnd(text);
}

function draftPage(laid: LaidPage, profile: DocumentProfile): Draft[] {
  const runningLines = findRunningLines(laid, profile);
  const drafts: Draft[] = [];
  laid.frames.forEach((frame, index) => {
    for (const region of frame.regions) {
      const lines = region.filter((line) => !runningLines.has(line));
      addDrafts(drafts, { laid, frame, blocks: toBlocks(lines, profile), profile, isMain: index === 0 });
    }
  });
  for (const line of runningLines) drafts.push(draftRunningLine(line, laid, drafts.length));
  return drafts;
}

interface FrameDraftInput {
  laid: LaidPage;
  frame: LaidFrame;
  blocks: LineBlock[];
  profile: DocumentProfile;
  isMain: boolean;
}

function addDrafts(drafts: Draft[], input: FrameDraftInput): void {
  const { laid, profile } = input;
  for (const block of input.blocks) {
    const styled = writeBlock(block, profile);
    const height = (block.lines[0]?.v ?? 0) / Math.max(1, laid.page.height);
    const position = { height, isAfterFootnote: drafts.at(-1)?.passage.kind === "footnote" };
    // Rotated text, such as a stamp in the margin, and invisibly small text are not content.
    const isContent = input.isMain && !isTooSmallToSee(block, profile);
    const blockKind = isContent
      ? classifyBlock(block, styled.text, position, profile)
      : { kind: "running_head" as const };
    const locator = {
      page: laid.page.page,
      rect: toPageRect(laid.page, input.frame.direction, boundingBox(block.lines)),
    };
    const id = passageId(laid.page.page, drafts.length);
    const passage = { id, locator, ...blockKind };
    drafts.push({
      ...withoutMeaninglessBold(styled),
      passage,
      size: block.size,
      startsRegion: block.startsRegion,
      endsAtFullWidth: endsAtFullWidth(block),
    });
  }
}

function endsAtFullWidth({ lines }: LineBlock): boolean {
  const last = lines.at(-1);
  if (!last || lines.length < 2) return false;
  const { u0, u1 } = boundingBox(lines);
  const missing = last.isRightToLeft ? last.u0 - u0 : u1 - last.u1;
  return missing < 0.1 * (u1 - u0);
}

/** If nearly all of a long passage is bold, the bold carries no meaning. */
function withoutMeaninglessBold(styled: StyledText): StyledText {
  const boldChars = styled.bold.reduce((sum, [from, to]) => sum + to - from, 0);
  return styled.text.length > 160 && boldChars > 0.7 * styled.text.length ? { ...styled, bold: [] } : styled;
}

function isTooSmallToSee(block: LineBlock, profile: DocumentProfile): boolean {
  return block.size < 2.5 && block.size < 0.5 * profile.bodySize;
}

function draftRunningLine(line: TextLine, laid: LaidPage, index: number): Draft {
  const direction = laid.frames[0]?.direction ?? "right";
  const locator = { page: laid.page.page, rect: toPageRect(laid.page, direction, boundingBox([line])) };
  const passage = { id: passageId(laid.page.page, index), kind: "running_head" as const, locator };
  const { text, bold, italic, size } = line;
  return { text, bold, italic, passage, size, startsRegion: false, endsAtFullWidth: false };
}

function passageId(page: number, index: number): string {
  return `p${page}.${index + 1}`;
}

function boundingBox(lines: readonly TextLine[]): { u0: number; u1: number; v0: number; v1: number } {
  return {
    u0: Math.min(...lines.map((line) => line.u0)),
    u1: Math.max(...lines.map((line) => line.u1)),
    v0: Math.min(...lines.map((line) => line.v - 0.8 * line.size)),
    v1: Math.max(...lines.map((line) => line.v + 0.25 * line.size)),
  };
}

const PAGE_NUMBER =
  /^(?:page\s+|seite\s+|[-–—|•\s]*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|\/|von)\s*\d{1,4})?[-–—|•\s]*$/iu;

function findRunningLines(laid: LaidPage, profile: DocumentProfile): Set<TextLine> {
  const edges = edgeLines(laid);
  const runningLines = edges.filter(
    (line) => profile.runningHeads.has(runningHeadKey(line, laid)) || PAGE_NUMBER.test(line.text),
  );
  const all = laid.frames[0]?.regions.flat().length ?? 0;
  // If all lines look like running heads, they are content.
  return new Set(runningLines.length < all ? runningLines : []);
}
