import type { Node as PmNode } from "@tiptap/pm/model";
import { Plugin, type Transaction } from "@tiptap/pm/state";
import { findChangedChunks, listBlocks, listBlocksBetween, rebalance, type Placed } from "./chunks.ts";

type NewId = () => string;
const idOf = ({ node }: Placed) => node.attrs["id"] as string | null;

/** Ids of the blocks that the edit did not touch, but which stand among those it did. */
function listUntouched(blocks: readonly Placed[], old: ReadonlyMap<string | null, PmNode>) {
  const ids = new Set<string>();
  const untouched = new Set<Placed>();
  for (const block of blocks) {
    const id = idOf(block);
    if (id === null || ids.has(id) || old.get(id) !== block.node) continue;
    ids.add(id);
    untouched.add(block);
  }
  return { ids, untouched };
}

/**
 * One id, one block: a split or pasted block gets its own, the block that was there keeps the old one, and one that
 * comes back by undo keeps the id it had. Ids from other pages are not taken over.
 */
function assignIds(tr: Transaction, before: PmNode, known: Set<string>, newId: NewId): void {
  const { doc } = tr;
  const { from, tail } = findChangedChunks(before, doc);
  const old = new Map(listBlocksBetween(before, from, tail).map((block) => [idOf(block), block.node]));
  const blocks = listBlocksBetween(doc, from, tail);
  const { ids: taken, untouched } = listUntouched(blocks, old);
  let elsewhere: Set<string | null> | undefined;
  const standsElsewhere = (id: string) => {
    elsewhere ??= new Set(
      [...listBlocksBetween(doc, 0, doc.childCount - from), ...listBlocksBetween(doc, doc.childCount - tail, 0)].map(
        idOf,
      ),
    );
    return elsewhere.has(id);
  };
  const isFree = (id: string) => !taken.has(id) && known.has(id) && (old.has(id) || !standsElsewhere(id));
  for (const block of blocks) {
    if (untouched.has(block)) continue;
    const id = idOf(block);
    const own = id !== null && isFree(id) ? id : newId();
    if (own !== id) tr.setNodeAttribute(block.pos, "id", own);
    taken.add(own);
    known.add(own);
  }
}

/** There is always a line to write on below the last block. */
function endWithText(tr: Transaction, newId: NewId): void {
  if (tr.doc.lastChild?.lastChild?.type.name === "text_block") return;
  const line = tr.doc.type.schema.nodes["text_block"]?.create({ id: newId() });
  if (line) tr.insert(tr.doc.content.size - 1, line);
}

/** Marks a transaction that brings blocks from elsewhere: their ids are taken as they are. */
export const REMOTE = "remote";

/** Names ids that were made for the blocks in this transaction, so that they are not taken for another page's. */
export const NEW_IDS = "newIds";

/** Keeps ids unique and chunks at their size, in the same step of the history as the edit that asked for it. */
export function keepStructure(newId: NewId): Plugin {
  const known = new Set<string>();
  return new Plugin({
    state: {
      init: (_config, state) => {
        for (const block of listBlocks(state.doc)) known.add(idOf(block) ?? "");
        return null;
      },
      apply: (tr) => {
        for (const meta of [REMOTE, NEW_IDS]) {
          const ids = tr.getMeta(meta) as string[] | undefined;
          for (const id of ids ?? []) known.add(id);
        }
        return null;
      },
    },
    appendTransaction(transactions, before, after) {
      if (!transactions.some((each) => each.docChanged)) return null;
      const { tr } = after;
      assignIds(tr, before.doc, known, newId);
      endWithText(tr, newId);
      // A chunk is not taken apart while an input method composes in it.
      if (!transactions.some((each) => each.getMeta("composition"))) rebalance(tr);
      return tr.docChanged ? tr : null;
    },
  });
}
