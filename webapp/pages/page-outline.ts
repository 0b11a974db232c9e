import type { Node as PmNode } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import { countWords } from "#shared/pages/completion.ts";
import { readBlockText } from "./editor/block-text.ts";
import { findBlock, listBlocks } from "./editor/chunks.ts";
import { showBlock } from "./highlight-citation.ts";
import type { PageSession } from "./session/page-session.ts";

export interface OutlineHeading {
  id: string;
  level: 1 | 2 | 3;
  text: string;
}

export interface PageOutline {
  headings: OutlineHeading[];
  words: number;
  characters: number;
  /** Reading time at 220 words a minute; at least 1 if there are words. */
  readingMinutes: number;
  /** Word count of the selection; 0 without one. */
  selectedWords: number;
}

const WORDS_PER_MINUTE = 220;
const levels: Readonly<Record<string, OutlineHeading["level"]>> = { heading_1: 1, heading_2: 2, heading_3: 3 };

const countCache = new WeakMap<PmNode, { words: number; characters: number }>();

/** Cached by node, so unchanged lines are not counted again. */
function countText(node: PmNode) {
  const cached = countCache.get(node);
  if (cached) return cached;
  const text = readBlockText(node);
  const count = { words: countWords(text), characters: Array.from(text).length };
  countCache.set(node, count);
  return count;
}

/** The headings and length of an open page. */
export function readOutline(session: PageSession): PageOutline {
  const state = session.editor?.state;
  const outline: PageOutline = { headings: [], words: 0, characters: 0, readingMinutes: 0, selectedWords: 0 };
  if (!state) return outline;
  for (const { node } of listBlocks(state.doc)) {
    if (!node.isTextblock) continue;
    const { words, characters } = countText(node);
    outline.words += words;
    outline.characters += characters;
    const level = levels[String(node.attrs["subType"])];
    const text = node.textContent.trim();
    if (level && text !== "") outline.headings.push({ id: String(node.attrs["id"]), level, text });
  }
  outline.readingMinutes = Math.ceil(outline.words / WORDS_PER_MINUTE);
  const { from, to } = state.selection;
  if (from !== to) outline.selectedWords = countWords(state.doc.textBetween(from, to, "\n", "\n"));
  return outline;
}

/** Scrolls to a heading and puts the caret in it. */
export function goToHeading(session: PageSession, id: string): void {
  const view = session.editor?.view;
  const placed = view && findBlock(view.state.doc, id);
  if (!placed) return;
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, placed.pos + 1)));
  showBlock(session, id);
  view.focus();
}
