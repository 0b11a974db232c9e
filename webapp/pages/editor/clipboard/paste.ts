import { Fragment, type Node as PmNode, type Slice } from "@tiptap/pm/model";
import { NodeSelection, Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { findBlockAt, removeBlock } from "../chunks.ts";

const isPlainLine = (node: PmNode | null | undefined) =>
  node?.type.name === "text_block" && node.attrs["subType"] === "normal";

/**
 * Lamplight's own copies record where they were cut. Text from within a heading is pasted as plain text, whereas a
 * heading from another program stays a heading.
 */
const isLamplightCopy = (event: ClipboardEvent) =>
  event.clipboardData?.getData("text/html").includes("data-pm-slice") ?? false;

/** Whether the pasted content starts with a block that must not merge into the caret's line. */
function startsOwnBlock({ content, openStart }: Slice, event: ClipboardEvent): boolean {
  const { firstChild } = content;
  if (!firstChild?.isBlock || isPlainLine(firstChild)) return false;
  return openStart === 0 || content.childCount > 1 || !isLamplightCopy(event);
}

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/;

/** Pasting an address over selected text links it; otherwise inserts the address as a link. */
export function pasteAddress(view: EditorView, event: ClipboardEvent): boolean {
  const target = event.clipboardData?.getData("text/plain").trim() ?? "";
  const { selection, schema, tr } = view.state;
  const mark = schema.marks["reference"]?.create({ kind: "link", target });
  if (!mark || !ADDRESS.test(target) || !(selection instanceof TextSelection)) return false;
  if (!selection.$from.sameParent(selection.$to)) return false;
  if (selection.empty) tr.replaceSelectionWith(schema.text(target, [mark]), false);
  else tr.addMark(selection.from, selection.to, mark).setSelection(TextSelection.create(tr.doc, selection.to));
  view.dispatch(tr.removeStoredMark(mark).scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
  return true;
}

/** Pasting while a block is selected inserts below the block instead of replacing it. */
function pasteBelowBlock(view: EditorView, { to }: NodeSelection, { content }: Slice): boolean {
  const { tr, schema } = view.state;
  const blocks: PmNode[] = [];
  if (content.firstChild?.isInline === true) blocks.push(schema.node("text_block", null, content));
  else content.forEach((node) => blocks.push(node));
  if (blocks.length === 0) return false;
  tr.insert(to, blocks);
  const end = to + blocks.reduce((size, node) => size + node.nodeSize, 0);
  tr.setSelection(Selection.near(tr.doc.resolve(end), -1));
  view.dispatch(tr.scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
  return true;
}

/** Headings, lists and quotes pasted at the end of a line go below it, or replace it if it is empty. */
export function pasteBelow(view: EditorView, event: ClipboardEvent, slice: Slice): boolean {
  const { selection } = view.state;
  if (selection instanceof NodeSelection) return pasteBelowBlock(view, selection, slice);
  if (!(selection instanceof TextSelection) || !selection.empty) return false;
  const block = findBlockAt(selection.$from);
  if (!block || selection.$from.parentOffset < block.node.content.size || !startsOwnBlock(slice, event)) return false;
  const blocks: PmNode[] = [];
  slice.content.forEach((node) => blocks.push(node));
  const { tr } = view.state;
  const end = block.pos + block.node.nodeSize;
  tr.insert(end, Fragment.from(blocks));
  const isEmptyLine = isPlainLine(block.node) && block.node.content.size === 0;
  const after = end + blocks.reduce((size, node) => size + node.nodeSize, 0);
  if (isEmptyLine) removeBlock(tr, block.pos);
  tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.slice(1).map(after)), -1));
  view.dispatch(tr.scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
  return true;
}
