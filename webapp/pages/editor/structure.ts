import type { Node as PmNode } from "@tiptap/pm/model";
import { CHUNK_SIZE } from "#shared/pages/document.ts";
import { Plugin, PluginKey, TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { findChangedChunks, listBlocks, listBlocksBetween, rebalanceChunks, type PlacedBlock } from "./chunks.ts";

type NewId = () => string;
/** From this many new blocks on, they are inserted in one step. */
const REBUILD_THRESHOLD = 100;
const idOf = ({ node }: PlacedBlock) => node.attrs["id"] as string | null;

/** Ids of the unchanged blocks within the changed chunks. */
function listUntouched(blocks: readonly PlacedBlock[], oldBlocks: ReadonlyMap<string | null, PmNode>) {
  const ids = new Set<string>();
  const untouched = new Set<PlacedBlock>();
  for (const block of blocks) {
    const id = idOf(block);
    if (id === null || ids.has(id) || oldBlocks.get(id) !== block.node) continue;
    ids.add(id);
    untouched.add(block);
  }
  return { ids, untouched };
}

interface Ids {
  /** Every id that a block of this page has or had. */
  known: Set<string>;
  /** Ids created for blocks of this edit. */
  createdIds: ReadonlySet<string>;
}

/**
 * Keeps block ids unique: a split or pasted block gets a new id, the existing block keeps its own, and a block restored
 * by undo keeps its old id. Ids from other pages are not accepted.
 */
function assignIds(tr: Transaction, before: PmNode, { known, createdIds }: Ids, newId: NewId): void {
  const { doc } = tr;
  const { from, tail } = findChangedChunks(before, doc);
  const oldBlocks = new Map(listBlocksBetween(before, from, tail).map((block) => [idOf(block), block.node]));
  const blocks = listBlocksBetween(doc, from, tail);
  const { ids: usedIds, untouched } = listUntouched(blocks, oldBlocks);
  let unchangedIds: Set<string | null> | undefined;
  const isInUnchangedChunk = (id: string) => {
    unchangedIds ??= new Set(
      [...listBlocksBetween(doc, 0, doc.childCount - from), ...listBlocksBetween(doc, doc.childCount - tail, 0)].map(
        idOf,
      ),
    );
    return unchangedIds.has(id);
  };
  const isFree = (id: string) =>
    !usedIds.has(id) && known.has(id) && (oldBlocks.has(id) || createdIds.has(id) || !isInUnchangedChunk(id));
  const assignedIds = new Map<PlacedBlock, string>();
  for (const block of blocks) {
    if (untouched.has(block)) continue;
    const id = idOf(block);
    const assignedId = id !== null && isFree(id) ? id : newId();
    if (assignedId !== id) assignedIds.set(block, assignedId);
    usedIds.add(assignedId);
    known.add(assignedId);
  }
  if (assignedIds.size > REBUILD_THRESHOLD) rebuild(tr, { from, tail }, blocks, assignedIds);
  else for (const [block, id] of assignedIds) tr.setNodeAttribute(block.pos, "id", id);
}

/** A position as block index and offset, which survives rebuilding. */
function toBlockOffset(doc: PmNode, pos: number): { index: number; offset: number } {
  const blocks = listBlocks(doc);
  const index = blocks.findLastIndex((block) => block.pos <= pos);
  return { index, offset: pos - (blocks[index]?.pos ?? 0) };
}

const sizeOf = (chunks: readonly PmNode[]) => chunks.reduce((sum, chunk) => sum + chunk.nodeSize, 0);

/** Rebuilds the changed chunks in one step: after a large paste, one step per block would be quadratic. */
function rebuild(
  tr: Transaction,
  { from, tail }: { from: number; tail: number },
  blocks: readonly PlacedBlock[],
  assignedIds: ReadonlyMap<PlacedBlock, string>,
): void {
  const { doc, selection } = tr;
  const { anchor, head } = selection;
  const endpoints = { anchor: toBlockOffset(doc, anchor), head: toBlockOffset(doc, head) };
  const nodes = blocks.map((block) => {
    const id = assignedIds.get(block);
    const { node } = block;
    return id === undefined ? node : node.type.create({ ...node.attrs, id }, node.content, node.marks);
  });
  const start = sizeOf(doc.children.slice(0, from));
  const end = doc.content.size - sizeOf(doc.children.slice(doc.childCount - tail));
  const chunks: PmNode[] = [];
  for (let chunkStart = 0; chunkStart < nodes.length; chunkStart += CHUNK_SIZE)
    chunks.push(doc.type.schema.node("chunk", null, nodes.slice(chunkStart, chunkStart + CHUNK_SIZE)));
  tr.replaceWith(start, end, chunks);
  const placed = listBlocks(tr.doc);
  const resolveOffset = ({ index, offset }: { index: number; offset: number }) =>
    tr.doc.resolve(Math.min((placed[index]?.pos ?? 1) + offset, tr.doc.content.size));
  tr.setSelection(TextSelection.between(resolveOffset(endpoints.anchor), resolveOffset(endpoints.head)));
}

/** There is always a text line after the last block. */
function ensureLastLine(tr: Transaction, newId: NewId): void {
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
export const createBlockId = (state: EditorState): string | null => key.getState(state)?.() ?? null;

const idsIn = (tr: Transaction, meta: string) => (tr.getMeta(meta) as string[] | undefined) ?? [];

/** Keeps ids unique and chunk sizes balanced, in the same history step as the edit. */
export function createStructurePlugin(newId: NewId): Plugin {
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
      if (!transactions.some(({ docChanged }) => docChanged)) return null;
      const { tr } = after;
      const createdIds = new Set(transactions.flatMap((transaction) => idsIn(transaction, NEW_IDS)));
      assignIds(tr, before.doc, { known, createdIds }, newId);
      ensureLastLine(tr, newId);
      // Chunks are not split during input-method composition.
      if (!transactions.some((transaction) => transaction.getMeta("composition"))) rebalanceChunks(tr);
      return tr.docChanged ? tr : null;
    },
  });
}
