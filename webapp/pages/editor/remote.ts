import type { Node as PmNode } from "@tiptap/pm/model";
import { NodeSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { toBlockNode, type Block } from "#shared/pages/document.ts";
import { findBlock, listBlocks, removeBlock, type Placed } from "./chunks.ts";
import { REMOTE } from "./structure.ts";

const idOf = (node: PmNode) => String(node.attrs["id"]);

/** Replaces only the differing part, so that the caret, selection and history are preserved. */
export function patchBlock(tr: Transaction, { node, pos }: Placed, target: PmNode): void {
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

const asRemote = (tr: Transaction, ids: readonly string[]) => tr.setMeta("addToHistory", false).setMeta(REMOTE, ids);

/** Applies remote content; undefined if the document already shows it. */
export function patchContent(state: EditorState, block: Block): Transaction | undefined {
  const placed = findBlock(state.doc, block._id);
  if (!placed) return undefined;
  const tr = asRemote(state.tr, [block._id]);
  patchBlock(tr, placed, state.schema.nodeFromJSON(toBlockNode(block)));
  return tr.docChanged ? tr : undefined;
}

/** Applies the page from the server and the queue. Blocks in `locallyEdited` have unsaved edits and stay as they are. */
export function patchPage(
  state: EditorState,
  blocks: readonly Block[],
  mine: ReadonlySet<string>,
): Transaction | undefined {
  const tr = asRemote(
    state.tr,
    blocks.map((block) => block._id),
  );
  const wanted = new Set(blocks.map((block) => block._id));
  for (const { node, pos } of listBlocks(tr.doc).toReversed()) {
    const isLast = node === tr.doc.lastChild?.lastChild && node.content.size === 0;
    if (!wanted.has(idOf(node)) && !mine.has(idOf(node)) && !isLast) removeBlock(tr, pos);
  }
  const targets = new Map(blocks.map((block) => [block._id, block]));
  for (const placed of listBlocks(tr.doc).toReversed()) {
    const block = targets.get(idOf(placed.node));
    if (block && !mine.has(block._id)) patchBlock(tr, placed, state.schema.nodeFromJSON(toBlockNode(block)));
  }
  placeInOrder(tr, blocks, mine);
  return tr.docChanged ? tr : undefined;
}

/** Longest increasing subsequence that includes `requiredIndex`: the largest set of blocks that need not move. */
function keepInPlace(numbers: readonly number[], must: number): Set<number> {
  const held = numbers[must];
  const fits = (n: number, at: number) => held === undefined || at === must || (at < must ? n < held : n > held);
  /** Patience sorting: for each length, the index of the smallest last number, and each index's predecessor. */
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [at, n] of numbers.entries()) {
    if (!fits(n, at)) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < n) low = middle + 1;
      else high = middle;
    }
    before.set(at, ends[low - 1]);
    ends[low] = at;
  }
  const stay = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) stay.add(at);
  return stay;
}

/** Moves as few blocks as possible, and never the one with the caret, which would interrupt typing. */
function placeInOrder(tr: Transaction, blocks: readonly Block[], mine: ReadonlySet<string>): void {
  const placeIn = new Map(blocks.map((block, i) => [block._id, i]));
  const present = listBlocks(tr.doc).flatMap(({ node, pos }) => {
    const i = placeIn.get(idOf(node));
    return i === undefined ? [] : [{ i, id: idOf(node), pos, end: pos + node.nodeSize }];
  });
  const caret = tr.selection instanceof NodeSelection ? tr.selection.from : tr.selection.head;
  const numbers = present.map(({ i }) => i);
  const stay = keepInPlace(
    numbers,
    present.findIndex(({ pos, end }) => pos <= caret && caret < end),
  );
  const staying = new Set(present.flatMap(({ id }, at) => (stay.has(at) ? [id] : [])));
  const moving = new Set(present.flatMap(({ id }, at) => (stay.has(at) ? [] : [id])));
  let anchorId: string | undefined;
  for (const block of blocks) {
    const isHere = staying.has(block._id);
    if (!isHere && !moving.has(block._id) && mine.has(block._id)) continue;
    if (!isHere) putBehind(tr, block, anchorId);
    anchorId = block._id;
  }
}

function putBehind(tr: Transaction, block: Block, anchorId: string | undefined): void {
  const moved = findBlock(tr.doc, block._id);
  if (moved) removeBlock(tr, moved.pos);
  const anchor = anchorId === undefined ? undefined : findBlock(tr.doc, anchorId);
  const node = moved?.node ?? tr.doc.type.schema.nodeFromJSON(toBlockNode(block));
  tr.insert(anchor ? anchor.pos + anchor.node.nodeSize : 1, node);
}
