import { closeHistory } from "@tiptap/pm/history";
import { Fragment, Slice, type Node as PmNode } from "@tiptap/pm/model";
import {
  NodeSelection,
  Selection,
  TextSelection,
  type Command,
  type EditorState,
  type Transaction,
} from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { findBlockAfter, findBlockBefore, findBlock, listBlocks, removeBlock, type PlacedBlock } from "./chunks.ts";

/** All blocks that the selection touches, even partly. */
export function selectedBlocks({ doc, selection }: EditorState): PlacedBlock[] {
  const { from, to } = selection;
  return listBlocks(doc).filter(({ node, pos }) => {
    if (selection.empty) return pos <= from && from < pos + node.nodeSize;
    return pos < to && pos + node.nodeSize > from;
  });
}

export const listBlockIds = (blocks: readonly PlacedBlock[]): string[] =>
  blocks.map(({ node }) => String(node.attrs["id"]));

const indentsOf = (node: PmNode) => Number(node.attrs["indents"]);

/** A line with the lines indented below it, which move with it; other blocks alone. */
function listWithNested(doc: PmNode, block: PlacedBlock): PlacedBlock[] {
  const blocks = [block];
  const isNested = ({ node }: PlacedBlock) => node.isTextblock && indentsOf(node) > indentsOf(block.node);
  let next = block.node.isTextblock ? findBlockAfter(doc, block) : undefined;
  while (next && isNested(next)) {
    blocks.push(next);
    next = findBlockAfter(doc, next);
  }
  return blocks;
}

/** The block above with the lines indented below it, as seen from a line that is not nested in it. */
function listAbove(doc: PmNode, block: PlacedBlock): PlacedBlock[] {
  const blocks: PlacedBlock[] = [];
  let above = findBlockBefore(doc, block.pos);
  while (above) {
    blocks.unshift(above);
    if (!block.node.isTextblock || !above.node.isTextblock || indentsOf(above.node) <= indentsOf(block.node)) break;
    above = findBlockBefore(doc, above.pos);
  }
  return blocks;
}

/** Runs from the end, so that earlier positions stay valid. */
function removeBlocks(tr: Transaction, blocks: readonly PlacedBlock[]): void {
  for (const { pos } of blocks.toReversed()) removeBlock(tr, pos);
}

const nodesOf = (blocks: readonly PlacedBlock[]) => blocks.map(({ node }) => node);

/** The block that contains a DOM element. */
function findBlockAtDom(view: EditorView, dom: HTMLElement): PlacedBlock | undefined {
  const domPos = view.posAtDOM(dom, 0);
  return listBlocks(view.state.doc).find(({ node, pos }) => pos <= domPos && domPos < pos + node.nodeSize);
}

/** Selects the block of a DOM element, unless it is already in the selection. */
export function selectBlockAt(view: EditorView, dom: HTMLElement): void {
  const { state } = view;
  const placed = findBlockAtDom(view, dom);
  if (!placed || selectedBlocks(state).some(({ pos }) => pos === placed.pos)) return;
  const selection = placed.node.isTextblock
    ? TextSelection.create(state.doc, placed.pos + 1)
    : NodeSelection.create(state.doc, placed.pos);
  view.dispatch(state.tr.setSelection(selection));
}

/** Extends the selection to whole blocks, so that deleting removes the blocks and not just their text. */
export const selectWholeBlocks: Command = (state, dispatch) => {
  const blocks = selectedBlocks(state);
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return false;
  const wholeBlocks =
    first === last && !first.node.isTextblock
      ? NodeSelection.create(state.doc, first.pos)
      : TextSelection.between(
          state.doc.resolve(first.pos + (first.node.isTextblock ? 1 : 0)),
          state.doc.resolve(last.pos + last.node.nodeSize - (last.node.isTextblock ? 1 : 0)),
        );
  dispatch?.(state.tr.setSelection(wholeBlocks));
  return true;
};

interface SavedSelection {
  id: string;
  /** Offsets of the selection's ends within the block. */
  anchor: number;
  head: number;
}

function saveSelection({ selection, doc }: EditorState, blocks: readonly PlacedBlock[]): SavedSelection | undefined {
  const [only] = blocks;
  if (!only || blocks.length > 1 || !(selection instanceof TextSelection) || !doc.content.size) return undefined;
  return { id: String(only.node.attrs["id"]), anchor: selection.anchor - only.pos, head: selection.head - only.pos };
}

function restoreSelection(tr: Transaction, ids: readonly string[], savedSelection: SavedSelection | undefined): void {
  const [first, last] = [findBlock(tr.doc, ids[0] ?? ""), findBlock(tr.doc, ids.at(-1) ?? "")];
  if (!first || !last) return;
  if (savedSelection)
    tr.setSelection(TextSelection.create(tr.doc, first.pos + savedSelection.anchor, first.pos + savedSelection.head));
  else if (first.pos === last.pos && !first.node.isTextblock) tr.setSelection(NodeSelection.create(tr.doc, first.pos));
  else {
    const [from, to] = [tr.doc.resolve(first.pos + 1), tr.doc.resolve(last.pos + last.node.nodeSize - 1)];
    tr.setSelection(TextSelection.between(from, to));
  }
}

/** Moves the selected blocks past the block above or below; nested lines go with their line. */
export const moveBlocks =
  (step: "up" | "down"): Command =>
  (state, dispatch) => {
    const { doc } = state;
    const blocks = selectedBlocks(state);
    const [first, lastSelected] = [blocks[0], blocks.at(-1)];
    const last = lastSelected && listWithNested(doc, lastSelected).at(-1);
    if (!first || !last) return false;
    const below = findBlockAfter(doc, last);
    const neighbours = step === "up" ? listAbove(doc, first) : below ? listWithNested(doc, below) : [];
    // Handled at the edge as well: the browser's default would select text.
    if (neighbours.length === 0) return true;
    const tr = closeHistory(state.tr);
    removeBlocks(tr, neighbours);
    const anchor = findBlock(tr.doc, String((step === "up" ? last : first).node.attrs["id"]));
    if (!anchor) return true;
    tr.insert(step === "up" ? anchor.pos + anchor.node.nodeSize : anchor.pos, nodesOf(neighbours));
    restoreSelection(tr, listBlockIds(blocks), saveSelection(state, blocks));
    dispatch?.(tr.scrollIntoView());
    return true;
  };

/** Moves a block, with its nested lines, before the block `beforeId`, or to the end if that is undefined; ids stay. */
export const moveBlockBefore =
  (id: string, beforeId: string | undefined): Command =>
  (state, dispatch) => {
    const block = findBlock(state.doc, id);
    if (!block) return false;
    const moved = listWithNested(state.doc, block);
    const next = findBlockAfter(state.doc, moved.at(-1) ?? block);
    // Before one of the moved blocks, or before the block below them.
    const ownPlaces = [...listBlockIds(moved), next && String(next.node.attrs["id"])];
    if (ownPlaces.includes(beforeId)) return false;
    const tr = closeHistory(state.tr);
    removeBlocks(tr, moved);
    const target = beforeId === undefined ? listBlocks(tr.doc).at(-1) : findBlock(tr.doc, beforeId);
    if (!target) return false;
    tr.insert(beforeId === undefined ? target.pos + target.node.nodeSize : target.pos, nodesOf(moved));
    // Selected words would open the toolbar over the page.
    restoreSelection(tr, [id], block.node.isTextblock ? { id, anchor: 1, head: 1 } : undefined);
    dispatch?.(tr);
    return true;
  };

/** The id of the block that a DOM element is part of. */
export function findBlockIdAt(view: EditorView, dom: HTMLElement): string | undefined {
  const placed = findBlockAtDom(view, dom);
  return placed && String(placed.node.attrs["id"]);
}

/** Inserts copies of the selected blocks below them, with new ids. */
export const duplicateBlocks: Command = (state, dispatch) => {
  const blocks = selectedBlocks(state);
  const last = blocks.at(-1);
  if (!last) return false;
  const copies: PmNode[] = blocks.map(({ node }) =>
    node.type.create({ ...node.attrs, id: null }, node.content, node.marks),
  );
  const tr = closeHistory(state.tr);
  const end = last.pos + last.node.nodeSize;
  tr.insert(end, copies);
  tr.setSelection(Selection.near(tr.doc.resolve(end + 1)));
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Sets one of the four highlight colours, or removes it with null. */
export const highlightBlocks =
  (color: string | null): Command =>
  (state, dispatch) => {
    const blocks = selectedBlocks(state).filter(({ node }) => node.isTextblock);
    if (blocks.length === 0) return false;
    const { tr } = state;
    for (const { pos } of blocks) tr.setNodeAttribute(pos, "highlightColor", color);
    dispatch?.(tr);
    return true;
  };

/** Starts dragging a block with its nested lines. */
export function startDrag(view: EditorView, dom: HTMLElement, data: DataTransfer): void {
  const { state } = view;
  const placed = findBlockAtDom(view, dom);
  if (!placed) return;
  view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, placed.pos)));
  const slice = new Slice(Fragment.from(nodesOf(listWithNested(state.doc, placed))), 0, 0);
  data.effectAllowed = "copyMove";
  data.setData("text/plain", placed.node.textContent);
  data.setDragImage(dom, 0, 0);
  view.dragging = { slice, move: true };
}
