import type { Node as PmNode } from "@tiptap/pm/model";
import { DeckContent } from "#shared/flashcards/schema.ts";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { findBlock, removeBlock } from "./chunks.ts";

/** Whether `content` is the shown deck with cards added: the title and every shown card are unchanged. */
export function isDeckExtension(shown: unknown, content: Record<string, unknown>): boolean {
  const [before, after] = [DeckContent.safeParse(shown).data, DeckContent.safeParse(content).data];
  if (!before || !after || !("cards" in content) || before.title !== after.title) return false;
  const cards = new Map(after.cards.map((card) => [card.id, JSON.stringify(card)]));
  return before.cards.every((card) => cards.get(card.id) === JSON.stringify(card));
}

/** The ids of the blocks around an insertion; either block may have been deleted in the meantime. */
export interface Neighbours {
  after?: string | undefined;
  before?: string | undefined;
}

/** The position before `before`, otherwise after `after`. If `after` is an empty line, the position above it. */
export function findInsertPos(doc: PmNode, { after, before }: Neighbours): number | undefined {
  const next = before === undefined ? undefined : findBlock(doc, before);
  if (next) return next.pos;
  const anchor = after === undefined ? undefined : findBlock(doc, after);
  if (!anchor) return undefined;
  const isEmptyLine = anchor.node.type.name === "text_block" && anchor.node.content.size === 0;
  return anchor.pos + (isEmptyLine ? 0 : anchor.node.nodeSize);
}

/** Moves a block to its position; undefined if the anchors are missing or it is already there. */
export function moveBlockBetween(state: EditorState, id: string, neighbours: Neighbours): Transaction | undefined {
  const block = findBlock(state.doc, id);
  if (!block || findInsertPos(state.doc, neighbours) === undefined) return undefined;
  const tr = state.tr.setMeta("addToHistory", false);
  removeBlock(tr, block.pos);
  const pos = findInsertPos(tr.doc, neighbours);
  if (pos === undefined || pos === block.pos) return undefined;
  return tr.insert(pos, block.node);
}
