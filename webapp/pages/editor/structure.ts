import type { Node as PmNode } from "@tiptap/pm/model";
import { CHUNK_SIZE } from "#shared/pages/document.ts";
import { Plugin, PluginKey, TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { findChangedChunks, listBlocks, listBlocksBetween, rebalance, type Placed } from "./chunks.ts";

type NewId = () => string;
/** From this many new blocks on, they are inserted in one step. */
const MANY = 100;
const idOf = ({ node }: Placed) => node.attrs["id"] as string | null;

/** Ids of the unchanged blocks within the changed chunks. */
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

interface Ids {
  /** Every id that a block of this page has or had. */
  known: Set<string>;
  /** Ids created for blocks of this edit. */
  fresh: ReadonlySet<string>;
}

/**
 * Keeps block ids unique: a split or pasted block gets a new id, the existing block keeps its own, and a block restored
 * by undo keeps its old id. Ids from other pages are not accepted.
 */
function assignIds(tr: Transaction, before: PmNode, { known, fresh }: Ids, newId: NewId): void {
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
  const isFree = (id: string) =>
    !taken.has(id) && known.has(id) && (old.has(id) || fresh.has(id) || !standsElsewhere(id));
  const given = new Map<Placed, string>();
  for (const block of blocks) {
    if (untouched.has(block)) continue;
    const id = idOf(block);
    const own = id !== null && isFree(id) ? id : newId();
    if (own !== id) given.set(block, own);
    taken.add(own);
    known.add(own);
  }
  if (given.size > MANY) rebuild(tr, { from, tail }, blocks, given);
  else for (const [block, id] of given) tr.setNodeAttribute(block.pos, "id", id);
}

/** A position as block index and offset, which survives rebuilding. */
function holdPlace(doc: PmNode, pos: number): { index: number; offset: number } {
  const blocks = listBlocks(doc);
  const index = blocks.findLastIndex((block) => block.pos <= pos);
  return { index, offset: pos - (blocks[index]?.pos ?? 0) };
}

const sizeOf = (chunks: readonly PmNode[]) => chunks.reduce((sum, chunk) => sum + chunk.nodeSize, 0);

/** Rebuilds the changed chunks in one step: after a large paste, one step per block would be quadratic. */
function rebuild(
  tr: Transaction,
  { from, tail }: { from: number; tail: number },
  blocks: readonly Placed[],
  given: ReadonlyMap<Placed, string>,
): void {
  const { doc, selection } = tr;
  const { anchor, head } = selection;
  const held = { anchor: holdPlace(doc, anchor), head: holdPlace(doc, head) };
  const nodes = blocks.map((block) => {
    const id = given.get(block);
    const { node } = block;
    return id === undefined ? node : node.type.create({ ...node.attrs, id }, node.content, node.marks);
  });
  const start = sizeOf(doc.children.slice(0, from));
  const end = doc.content.size - sizeOf(doc.children.slice(doc.childCount - tail));
  const chunks: PmNode[] = [];
  for (let at = 0; at < nodes.length; at += CHUNK_SIZE)
    chunks.push(doc.type.schema.node("chunk", null, nodes.slice(at, at + CHUNK_SIZE)));
  tr.replaceWith(start, end, chunks);
  const placed = listBlocks(tr.doc);
  const placeOf = ({ index, offset }: { index: number; offset: number }) =>
    tr.doc.resolve(Math.min((placed[index]?.pos ?? 1) + offset, tr.doc.content.size));
  tr.setSelection(TextSelection.between(placeOf(held.anchor), placeOf(held.head)));
}

/** There is always a text line after the last block. */
function endWithText(tr: Transaction, newId: NewId): void {
  if (tr.doc.lastChild?.lastChild?.type.name === "text_block") return;
  const line = tr.doc.type.schema.nodes["text_block"]?.create({ id: newId() });
  if (line) tr.insert(tr.doc.content.size - 1, line);
}

/** Meta key: block ids in remote transactions, which are accepted as they are. */
export const REMOTE = "remote";

/** Meta key: ids created for blocks in this transaction, so that they are not mistaken for those of another page. */
export const NEW_IDS = "newIds";

const key = new PluginKey<NewId>("structure");

/** An id for a block inserted now, which avoids a second step; null without the plugin. */
export const freshId = (state: EditorState): string | null => key.getState(state)?.() ?? null;

const idsIn = (tr: Transaction, meta: string) => (tr.getMeta(meta) as string[] | undefined) ?? [];

/** Keeps ids unique and chunk sizes balanced, in the same history step as the edit. */
export function keepStructure(newId: NewId): Plugin {
  const known = new Set<string>();
  return new Plugin<NewId>({
    key,
    state: {
      init: (_config, state) => {
        for (const block of listBlocks(state.doc)) known.add(idOf(block) ?? "");
        return newId;
      },
      apply: (tr) => {
        for (const id of [...idsIn(tr, REMOTE), ...idsIn(tr, NEW_IDS)]) known.add(id);
        return newId;
      },
    },
    appendTransaction(transactions, before, after) {
      if (!transactions.some((each) => each.docChanged)) return null;
      const { tr } = after;
      const fresh = new Set(transactions.flatMap((each) => idsIn(each, NEW_IDS)));
      assignIds(tr, before.doc, { known, fresh }, newId);
      endWithText(tr, newId);
      // Chunks are not split during input-method composition.
      if (!transactions.some((each) => each.getMeta("composition"))) rebalance(tr);
      return tr.docChanged ? tr : null;
    },
  });
}
