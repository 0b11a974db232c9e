import type { Node as PmNode } from "@tiptap/pm/model";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { toBlockNode, type Block } from "#shared/pages/document.ts";
import { findBlock, listBlocks, removeBlock, type Placed } from "./chunks.ts";
import { REMOTE } from "./structure.ts";

const idOf = (node: PmNode) => String(node.attrs["id"]);

/** Replaces only what differs, so that the caret, the selection and the history of the rest stay where they are. */
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
  // In repeated letters both searches may pass each other.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  tr.replace(pos + 1 + start, pos + 1 + end.a + overlap, target.slice(start, end.b + overlap));
}

const asRemote = (tr: Transaction, ids: readonly string[]) => tr.setMeta("addToHistory", false).setMeta(REMOTE, ids);

/** A content that came from elsewhere, or nothing where it is what the document already shows. */
export function patchContent(state: EditorState, block: Block): Transaction | undefined {
  const placed = findBlock(state.doc, block._id);
  if (!placed) return undefined;
  const tr = asRemote(state.tr, [block._id]);
  patchBlock(tr, placed, state.schema.nodeFromJSON(toBlockNode(block)));
  return tr.docChanged ? tr : undefined;
}

/**
 * The page as the server and the queue have it now. `mine` names blocks whose newest text is in this editor alone:
 * they stay as they are.
 */
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

function placeInOrder(tr: Transaction, blocks: readonly Block[], mine: ReadonlySet<string>): void {
  const isWanted = new Set(blocks.map((block) => block._id));
  let present = listBlocks(tr.doc).filter(({ node }) => isWanted.has(idOf(node)));
  for (const [i, block] of blocks.entries()) {
    if (present[i] && idOf(present[i].node) === block._id) continue;
    const moved = present.find(({ node }) => idOf(node) === block._id);
    if (!moved && mine.has(block._id)) continue;
    const node = moved?.node ?? tr.doc.type.schema.nodeFromJSON(toBlockNode(block));
    const anchorId = blocks[i - 1]?._id;
    if (moved) removeBlock(tr, moved.pos);
    const anchor = anchorId === undefined ? undefined : findBlock(tr.doc, anchorId);
    tr.insert(anchor ? anchor.pos + anchor.node.nodeSize : 1, node);
    present = listBlocks(tr.doc).filter((each) => isWanted.has(idOf(each.node)));
  }
}
