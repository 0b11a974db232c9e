import { Fragment, type Node as PmNode } from "@tiptap/pm/model";
import {
  NodeSelection,
  Selection,
  TextSelection,
  type Command,
  type EditorState,
  type Transaction,
} from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { findBlockAfter, findBlockAt, findBlockBefore, listBlocks, removeBlock, type PlacedBlock } from "./chunks.ts";
import { createBlockId, NEW_IDS } from "./structure.ts";

const MAX_INDENTS = 20;
const isText = (node: PmNode) => node.type.name === "text_block";
const indentsOf = (node: PmNode) => Number(node.attrs["indents"]);
const subTypeOf = (node: PmNode) => String(node.attrs["subType"]);
const isList = (subType: string) => subType.startsWith("list_");

/** The text block with the caret; undefined if there is a selection. */
function findCaretBlock(state: EditorState): (PlacedBlock & { offset: number }) | undefined {
  const { selection } = state;
  if (!(selection instanceof TextSelection) || !selection.empty) return undefined;
  const block = findBlockAt(selection.$from);
  return block ? { ...block, offset: selection.$from.parentOffset } : undefined;
}

const createLine = (state: EditorState, attrs: Record<string, unknown> = {}) =>
  state.schema.node("text_block", { subType: "normal", ...attrs });

/** A new id for a line, registered in the transaction. */
function createLineId(state: EditorState, tr: Transaction): { id: string | null } {
  const id = createBlockId(state);
  if (id !== null) tr.setMeta(NEW_IDS, [id]);
  return { id };
}

/** Attributes of the next line: lists and quotes continue, and a ticked box is followed by an unticked one. */
function getNextLineAttributes(node: PmNode, isAtEnd: boolean) {
  const subType = subTypeOf(node);
  const next = subType === "list_checkbox_checked" ? "list_checkbox_unchecked" : subType;
  return {
    subType: isAtEnd && subType.startsWith("heading") ? "normal" : next,
    indents: indentsOf(node),
    highlightColor: isAtEnd ? null : node.attrs["highlightColor"],
  };
}

function unindentOrReset(tr: Transaction, { node, pos }: PlacedBlock): boolean {
  if (indentsOf(node) > 0) tr.setNodeAttribute(pos, "indents", indentsOf(node) - 1);
  else if (subTypeOf(node) === "normal") return false;
  else tr.setNodeAttribute(pos, "subType", "normal");
  return true;
}

/** Adds a line below the selected block instead of replacing the block. */
function addLineBelow(state: EditorState, tr: Transaction): void {
  const { to } = state.selection;
  tr.insert(to, createLine(state, createLineId(state, tr)));
  tr.setSelection(TextSelection.create(tr.doc, to + 1));
}

/** Moves the caret to an empty line after the last block, which is added if the last line has text. */
export const startLastLine: Command = (state, dispatch) => {
  const { tr } = state;
  const last = listBlocks(state.doc).at(-1);
  if (!last || !isText(last.node) || last.node.content.size > 0 || subTypeOf(last.node) !== "normal")
    tr.insert(state.doc.content.size - 1, createLine(state, createLineId(state, tr)));
  tr.setSelection(Selection.atEnd(tr.doc));
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Text typed while a block is selected starts a line below it. */
export function typeBelowSelectedBlock(view: EditorView, text: string): boolean {
  const { state } = view;
  if (!(state.selection instanceof NodeSelection) || text === "") return false;
  const { tr } = state;
  addLineBelow(state, tr);
  view.dispatch(tr.insertText(text).scrollIntoView());
  return true;
}

function splitAtCaret(state: EditorState, tr: Transaction): boolean {
  const { $from } = tr.selection;
  const block = findBlockAt($from);
  if (!block || !isText(block.node)) return false;
  const { node, pos } = block;
  const subType = subTypeOf(node);
  if (node.content.size === 0 && subType !== "normal") return unindentOrReset(tr, block);
  const isAtStart = $from.parentOffset === 0 && node.content.size > 0;
  const newLineAttributes = createLineId(state, tr);
  // At the start of a line the text keeps its id; the new block is the empty line above.
  if (isAtStart)
    tr.insert(
      pos,
      createLine(state, { ...(isList(subType) ? getNextLineAttributes(node, false) : {}), ...newLineAttributes }),
    );
  else {
    const attrs = { ...getNextLineAttributes(node, $from.parentOffset === node.content.size), ...newLineAttributes };
    tr.split($from.pos, 1, [{ type: node.type, attrs }]);
  }
  return true;
}

/** Enter: starts a new line, ends a list on an empty item, or adds a line below a selected block. */
export const splitLine: Command = (state, dispatch) => {
  const { tr, selection } = state;
  if (selection instanceof NodeSelection) addLineBelow(state, tr);
  else {
    if (!selection.empty) tr.deleteSelection();
    if (!splitAtCaret(state, tr)) return false;
  }
  dispatch?.(tr.scrollIntoView());
  return true;
};

export const breakLine: Command = (state, dispatch) => {
  const line = state.schema.nodes["hard_break"]?.create();
  if (!line || !(state.selection instanceof TextSelection)) return false;
  dispatch?.(state.tr.replaceSelectionWith(line).scrollIntoView());
  return true;
};

/** Merges adjacent lines. An empty first line is removed instead, so that the second line keeps its id. */
function mergeLines(tr: Transaction, first: PlacedBlock, second: PlacedBlock): void {
  if (first.node.content.size === 0) {
    removeBlock(tr, first.pos);
    tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(second.pos) + 1)));
    return;
  }
  const joinPos = first.pos + 1 + first.node.content.size;
  removeBlock(tr, second.pos);
  tr.insert(joinPos, second.node.content);
  tr.setSelection(TextSelection.create(tr.doc, joinPos));
}

/** Backspace at the start of a line resets its type first, then joins it with the line above. */
export const joinBackward: Command = (state, dispatch) => {
  const block = findCaretBlock(state);
  if (!block || block.offset > 0) return false;
  const { tr } = state;
  if (!unindentOrReset(tr, block)) {
    const previous = findBlockBefore(state.doc, block.pos);
    // Handled at the very start as well: the browser's default would merge chunks.
    if (!previous) return true;
    if (isText(previous.node)) mergeLines(tr, previous, block);
    else {
      // A component block is selected first, not deleted.
      if (block.node.content.size === 0 && findBlockAfter(state.doc, block)) removeBlock(tr, block.pos);
      tr.setSelection(NodeSelection.create(tr.doc, previous.pos));
    }
  }
  dispatch?.(tr.scrollIntoView());
  return true;
};

export const joinForward: Command = (state, dispatch) => {
  const block = findCaretBlock(state);
  if (!block || block.offset < block.node.content.size) return false;
  const next = findBlockAfter(state.doc, block);
  if (!next) return true;
  const { tr } = state;
  if (isText(next.node)) mergeLines(tr, block, next);
  else if (block.node.content.size === 0) {
    removeBlock(tr, block.pos);
    tr.setSelection(NodeSelection.create(tr.doc, tr.mapping.map(next.pos)));
  } else tr.setSelection(NodeSelection.create(tr.doc, next.pos));
  dispatch?.(tr.scrollIntoView());
  return true;
};

function selectedTextBlocks(state: EditorState): PlacedBlock[] {
  const { from, to } = state.selection;
  const blocks: PlacedBlock[] = [];
  state.doc.nodesBetween(from, to, (node, pos) => {
    if (isText(node)) blocks.push({ node, pos });
    return node.type.name === "chunk" || node.type.name === "doc";
  });
  return blocks;
}

const indentBy =
  (step: 1 | -1): Command =>
  (state, dispatch) => {
    const blocks = selectedTextBlocks(state);
    if (blocks.length === 0) return false;
    const { tr } = state;
    for (const { node, pos } of blocks) {
      const indents = Math.min(MAX_INDENTS, Math.max(0, indentsOf(node) + step));
      if (indents !== indentsOf(node)) tr.setNodeAttribute(pos, "indents", indents);
    }
    dispatch?.(tr);
    return true;
  };
export const indent = indentBy(1);
export const outdent = indentBy(-1);

export const setSubType =
  (subType: string): Command =>
  (state, dispatch) => {
    const { tr } = state;
    for (const { pos } of selectedTextBlocks(state)) tr.setNodeAttribute(pos, "subType", subType);
    dispatch?.(tr);
    return true;
  };

export const toggleCheckbox: Command = (state, dispatch) => {
  const block = findBlockAt(state.selection.$from);
  const subType = block ? subTypeOf(block.node) : "";
  if (!block || !subType.startsWith("list_checkbox")) return false;
  const next = subType === "list_checkbox_checked" ? "list_checkbox_unchecked" : "list_checkbox_checked";
  dispatch?.(state.tr.setNodeAttribute(block.pos, "subType", next));
  return true;
};

function moveCaretBelow(state: EditorState, tr: Transaction, placed: PlacedBlock): void {
  const next = findBlockAfter(tr.doc, placed);
  const end = placed.pos + placed.node.nodeSize;
  const hasLine = next && isText(next.node);
  if (!hasLine) tr.insert(end, createLine(state));
  tr.setSelection(TextSelection.create(tr.doc, (hasLine ? next.pos : end) + 1));
}

interface NewBlock {
  id: string | null;
  type: string;
  content: Record<string, unknown>;
}

/** Replaces an empty line with a block, or inserts it below the caret's line; the caret moves to the next line. */
export function placeBlock(state: EditorState, tr: Transaction, attrs: NewBlock): boolean {
  const anchorBlock = findBlockAt(tr.selection.$from) ?? listBlocks(tr.doc).at(-1);
  const node = state.schema.nodes["component_block"]?.create({ ...attrs });
  if (!anchorBlock || !node) return false;
  const end = anchorBlock.pos + anchorBlock.node.nodeSize;
  const isEmptyLine = isText(anchorBlock.node) && anchorBlock.node.content.size === 0;
  if (isEmptyLine) tr.replaceWith(anchorBlock.pos, end, node);
  else tr.insert(end, node);
  if (attrs.id !== null) tr.setMeta(NEW_IDS, [attrs.id]);
  moveCaretBelow(state, tr, { node, pos: isEmptyLine ? anchorBlock.pos : end });
  return true;
}

export const insertBlock =
  (attrs: NewBlock): Command =>
  (state, dispatch) => {
    const { tr } = state;
    if (!placeBlock(state, tr, attrs)) return false;
    dispatch?.(tr.scrollIntoView());
    return true;
  };

/** The blocks that deleting the selection would remove entirely, for the confirmation dialog. */
export function listDeletedBlocks(state: EditorState): { kinds: string[]; textCount: number } {
  const { from, to } = state.selection;
  const kinds: string[] = [];
  let textCount = 0;
  state.doc.nodesBetween(from, to, (node, pos) => {
    const isWhole = pos >= from && pos + node.nodeSize <= to;
    if (node.type.name === "component_block" && isWhole) kinds.push(String(node.attrs["type"]));
    else if (isText(node) && pos + 1 >= from && pos + node.nodeSize - 1 <= to && node.content.size > 0) textCount += 1;
    return node.type.name === "chunk";
  });
  return { kinds, textCount };
}

/** Deletes the selection; across chunks, the remaining texts join into one line. */
export const deleteSelected: Command = (state, dispatch) => {
  const { selection, tr } = state;
  if (selection.empty) return false;
  if (selection instanceof NodeSelection) {
    removeBlock(tr, selection.from);
    tr.setSelection(Selection.near(tr.doc.resolve(Math.min(selection.from, tr.doc.content.size))));
  } else if (selection.from <= 2 && selection.to >= state.doc.content.size - 2) {
    const line = createLine(state);
    tr.replaceWith(0, state.doc.content.size, state.schema.node("chunk", null, Fragment.from(line)));
    tr.setSelection(TextSelection.create(tr.doc, 2));
  } else tr.deleteSelection();
  dispatch?.(tr.scrollIntoView());
  return true;
};
