import type { Command, EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { trackRange, type WindowBox } from "#webapp/app/track-range.ts";
import { findBlockAt } from "./chunks.ts";
import { leafText } from "./formula.ts";

/** Selected text with its block and its position in the window. */
export interface SelectedText {
  text: string;
  componentId: string;
  /** The position of the text in the window. */
  findBox: () => WindowBox;
}

/** Whether all of the selection has the mark. */
export function isMarked({ doc, selection, schema }: EditorState, name: string): boolean {
  const type = schema.marks[name];
  let [isAll, isAny] = [true, false];
  doc.nodesBetween(selection.from, selection.to, (node) => {
    if (!node.isInline || node.type.name === "hard_break") return;
    isAny = true;
    isAll &&= type?.isInSet(node.marks) !== undefined;
  });
  return isAny && isAll;
}

/** Sets the colour of the selected text; null removes it. */
export const setTextColor =
  (color: string | null): Command =>
  ({ tr, selection: { from, to }, schema }, dispatch) => {
    const type = schema.marks["color"];
    if (!type) return false;
    tr.removeMark(from, to, type);
    if (color !== null) tr.addMark(from, to, type.create({ color }));
    dispatch?.(tr);
    return true;
  };

/** Links the selected text; null removes the links in it. */
export const setLink =
  (address: string | null): Command =>
  ({ tr, selection: { from, to }, schema }, dispatch) => {
    const type = schema.marks["reference"];
    if (!type) return false;
    tr.removeMark(from, to, type);
    if (address !== null) tr.addMark(from, to, type.create({ kind: "link", target: address }));
    dispatch?.(tr);
    return true;
  };

/** The rectangle around the selection; as wide as the editor if the selection has several lines. */
export function selectionBox(view: EditorView): WindowBox {
  const { from, to } = view.state.selection;
  const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to, -1)];
  const isOneLine = Math.abs(start.top - end.top) < 4;
  const edges = isOneLine ? [start.left, end.right] : [view.dom.getBoundingClientRect().left, start.left];
  return {
    left: Math.min(...edges),
    right: isOneLine ? Math.max(...edges) : view.dom.getBoundingClientRect().right,
    top: Math.min(start.top, end.top),
    bottom: Math.max(start.bottom, end.bottom),
  };
}

export function readSelectedText(view: EditorView): SelectedText {
  const { doc, selection } = view.state;
  const text = doc.textBetween(selection.from, selection.to, "\n", leafText).trim();
  const componentId = String(findBlockAt(selection.$from)?.node.attrs["id"] ?? "");
  const range = document.createRange();
  const [start, end] = [view.domAtPos(selection.from), view.domAtPos(selection.to)];
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  return { text, componentId, findBox: trackRange(range, view.dom) };
}
