import type { Node as PmNode } from "@tiptap/pm/model";
import { DeckContent } from "#shared/flashcards/schema.ts";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { findBlock, removeBlock } from "./chunks.ts";

/** Whether a deck holds every card of the other as it is, as when generated cards were added to what is shown. */
export function isBuiltOn(shown: unknown, content: Record<string, unknown>): boolean {
  const [before, after] = [DeckContent.safeParse(shown).data, DeckContent.safeParse(content).data];
  if (!before || !after || !("cards" in content) || before.title !== after.title) return false;
  const cards = new Map(after.cards.map((card) => [card.id, JSON.stringify(card)]));
  return before.cards.every((card) => cards.get(card.id) === JSON.stringify(card));
}

/** Ids of blocks between which something is to stand; either may be gone meanwhile. */
export interface Between {
  after?: string | undefined;
  before?: string | undefined;
}

/** Ahead of the one, else behind the other; an empty line is written in, so it stays below. */
export function placeOf(doc: PmNode, { after, before }: Between): number | undefined {
  const next = before === undefined ? undefined : findBlock(doc, before);
  if (next) return next.pos;
  const anchor = after === undefined ? undefined : findBlock(doc, after);
  if (!anchor) return undefined;
  const isEmptyLine = anchor.node.type.name === "text_block" && anchor.node.content.size === 0;
  return anchor.pos + (isEmptyLine ? 0 : anchor.node.nodeSize);
}

/** Brings a block that stands elsewhere to its place; undefined where the place is gone, or it stands there. */
export function bringTo(state: EditorState, id: string, place: Between): Transaction | undefined {
  const held = findBlock(state.doc, id);
  if (!held || placeOf(state.doc, place) === undefined) return undefined;
  const tr = state.tr.setMeta("addToHistory", false);
  removeBlock(tr, held.pos);
  const pos = placeOf(tr.doc, place);
  if (pos === undefined || pos === held.pos) return undefined;
  return tr.insert(pos, held.node);
}
