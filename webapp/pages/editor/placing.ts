import type { Node as PmNode } from "@tiptap/pm/model";
import { DeckContent } from "#shared/flashcards/schema.ts";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { findBlock, removeBlock } from "./chunks.ts";

/** Whether a deck includes every card of the other unchanged, as after generated cards were added to it. */
export function isBuiltOn(shown: unknown, content: Record<string, unknown>): boolean {
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
export function placeOf(doc: PmNode, { after, before }: Between): number | undefined {
  const next = before === undefined ? undefined : findBlock(doc, before);
  if (next) return next.pos;
  const anchor = after === undefined ? undefined : findBlock(doc, after);
  if (!anchor) return undefined;
  const isEmptyLine = anchor.node.type.name === "text_block" && anchor.node.content.size === 0;
  return anchor.pos + (isEmptyLine ? 0 : anchor.node.nodeSize);
}

/** Moves a block to its position; undefined if the anchors are missing or it is already there. */
export function bringTo(state: EditorState, id: string, place: Between): Transaction | undefined {
  const held = findBlock(state.doc, id);
  if (!held || placeOf(state.doc, place) === undefined) return undefined;
  const tr = state.tr.setMeta("addToHistory", false);
  removeBlock(tr, held.pos);
  const pos = placeOf(tr.doc, place);
  if (pos === undefined || pos === held.pos) return undefined;
  return tr.insert(pos, held.node);
}
