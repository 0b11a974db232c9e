import type { Node as PmNode } from "@tiptap/pm/model";
import { DeckContent } from "#shared/flashcards/schema.ts";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { findBlock, removeBlock } from "./chunks.ts";

/** Whether a deck includes every card of the other unchanged, as after generated cards were added to it. */
export function isDeckExtension(shown: unknown, content: Record<string, unknown>): boolean {
  const [before, after] = [DeckContent.safeParse(shown).data, DeckContent.safeParse(content).data];
  if (!before || !after || !("cards" in content) || before.title !== after.title) return false;
  const cards = new Map(after.cards.map((card) => [card.id, JSON.stringify(card)]));
  return before.cards.every((card) => cards.get(card.id) === JSON.stringify(card));
}

/** Block ids between which something is inserted; either may have been deleted meanwhile. */
export interface Between {
  after?: string | undefined;
  before?: string | undefined;
}

/** The position before `before`, or else after `after`; an empty line stays below. */
export function findInsertPos(doc: PmNode, { after, before }: Between): number | undefined {
  const next = before === undefined ? undefined : findBlock(doc, before);
  if (next) return next.pos;
  const anchor = after === undefined ? undefined : findBlock(doc, after);
  if (!anchor) return undefined;
  const isEmptyLine = anchor.node.type.name === "text_block" && anchor.node.content.size === 0;
  return anchor.pos + (isEmptyLine ? 0 : anchor.node.nodeSize);
}

/** Moves a block to its position; undefined if the anchors are missing or it is already there. */
export function moveBetween(state: EditorState, id: string, between: Between): Transaction | undefined {
  const block = findBlock(state.doc, id);
  if (!block || findInsertPos(state.doc, between) === undefined) return undefined;
  const tr = state.tr.setMeta("addToHistory", false);
  removeBlock(tr, block.pos);
  const pos = findInsertPos(tr.doc, between);
  if (pos === undefined || pos === block.pos) return undefined;
  return tr.insert(pos, block.node);
}
