import type { Node as PmNode } from "@tiptap/pm/model";
import { NodeSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { toBlockNode, type Block } from "#shared/pages/document.ts";
import { findBlock, listBlocks, removeBlock, type PlacedBlock } from "./chunks.ts";
import { REMOTE } from "./structure.ts";

const getBlockId = (node: PmNode) => String(node.attrs["id"]);

/** Replaces only the differing part, so that the caret, selection and history are preserved. */
export function patchBlock(tr: Transaction, { node, pos }: PlacedBlock, target: PmNode): void {
  if (node.eq(target)) return;
  if (node.type !== target.type) {
    tr.replaceWith(pos, pos + node.nodeSize, target);
    return;
  }
  for (const [name, value] of Object.entries(target.attrs))
    if (node.attrs[name] !== value) tr.setNodeAttribute(pos, name, value);
  const start = node.content.findDiffStart(target.content);
  const end = node.content.findDiffEnd(target.content);
  if (start === null || !end) return;
  // In repeated letters the two searches can overlap.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  tr.replace(pos + 1 + start, pos + 1 + end.a + overlap, target.slice(start, end.b + overlap));
}

const markRemote = (tr: Transaction, ids: readonly string[]) => tr.setMeta("addToHistory", false).setMeta(REMOTE, ids);

/** Applies remote content; undefined if the document already shows it. */
export function patchContent(state: EditorState, block: Block): Transaction | undefined {
  const placed = findBlock(state.doc, block._id);
  if (!placed) return undefined;
  const tr = markRemote(state.tr, [block._id]);
  patchBlock(tr, placed, state.schema.nodeFromJSON(toBlockNode(block)));
  return tr.docChanged ? tr : undefined;
}

/** Applies the page from the server and the queue. Blocks in `locallyEdited` have unsaved edits and stay as they are. */
export function patchPage(
  state: EditorState,
  blocks: readonly Block[],
  locallyEdited: ReadonlySet<string>,
): Transaction | undefined {
  const tr = markRemote(
    state.tr,
    blocks.map((block) => block._id),
  );
  const incomingIds = new Set(blocks.map((block) => block._id));
  for (const { node, pos } of listBlocks(tr.doc).toReversed()) {
    const isLast = node === tr.doc.lastChild?.lastChild && node.content.size === 0;
    if (!incomingIds.has(getBlockId(node)) && !locallyEdited.has(getBlockId(node)) && !isLast) removeBlock(tr, pos);
  }
  const targets = new Map(blocks.map((block) => [block._id, block]));
  for (const placed of listBlocks(tr.doc).toReversed()) {
    const block = targets.get(getBlockId(placed.node));
    if (block && !locallyEdited.has(block._id)) patchBlock(tr, placed, state.schema.nodeFromJSON(toBlockNode(block)));
  }
  reorderBlocks(tr, blocks, locallyEdited);
  return tr.docChanged ? tr : undefined;
}

/** Longest increasing subsequence that includes `requiredIndex`: the largest set of blocks that need not move. */
function findStationary(numbers: readonly number[], requiredIndex: number): Set<number> {
  const required = numbers[requiredIndex];
  const fits = (n: number, index: number) =>
    required === undefined || index === requiredIndex || (index < requiredIndex ? n < required : n > required);
  /** Patience sorting: for each length, the index of the smallest last number, and each index's predecessor. */
  const tails: number[] = [];
  const predecessors = new Map<number, number | undefined>();
  for (const [index, n] of numbers.entries()) {
    if (!fits(n, index)) continue;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] ?? 0] ?? 0) < n) low = middle + 1;
      else high = middle;
    }
    predecessors.set(index, tails[low - 1]);
    tails[low] = index;
  }
  const stationary = new Set<number>();
  for (let index = tails.at(-1); index !== undefined; index = predecessors.get(index)) stationary.add(index);
  return stationary;
}

/** Moves as few blocks as possible, and never the one with the caret, which would interrupt typing. */
function reorderBlocks(tr: Transaction, blocks: readonly Block[], locallyEdited: ReadonlySet<string>): void {
  const indexById = new Map(blocks.map((block, i) => [block._id, i]));
  const present = listBlocks(tr.doc).flatMap(({ node, pos }) => {
    const i = indexById.get(getBlockId(node));
    return i === undefined ? [] : [{ i, id: getBlockId(node), pos, end: pos + node.nodeSize }];
  });
  const caret = tr.selection instanceof NodeSelection ? tr.selection.from : tr.selection.head;
  const numbers = present.map(({ i }) => i);
  const stationary = findStationary(
    numbers,
    present.findIndex(({ pos, end }) => pos <= caret && caret < end),
  );
  const stationaryIds = new Set(present.flatMap(({ id }, index) => (stationary.has(index) ? [id] : [])));
  const movingIds = new Set(present.flatMap(({ id }, index) => (stationary.has(index) ? [] : [id])));
  let anchorId: string | undefined;
  for (const block of blocks) {
    const isStationary = stationaryIds.has(block._id);
    if (!isStationary && !movingIds.has(block._id) && locallyEdited.has(block._id)) continue;
    if (!isStationary) insertAfter(tr, block, anchorId);
    anchorId = block._id;
  }
}

function insertAfter(tr: Transaction, block: Block, anchorId: string | undefined): void {
  const existing = findBlock(tr.doc, block._id);
  if (existing) removeBlock(tr, existing.pos);
  const anchor = anchorId === undefined ? undefined : findBlock(tr.doc, anchorId);
  const node = existing?.node ?? tr.doc.type.schema.nodeFromJSON(toBlockNode(block));
  tr.insert(anchor ? anchor.pos + anchor.node.nodeSize : 1, node);
}
