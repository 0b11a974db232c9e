import { Extension } from "@tiptap/core";
import { toggleMark } from "@tiptap/pm/commands";
import { history, redo, undo } from "@tiptap/pm/history";
import { keymap } from "@tiptap/pm/keymap";
import { NodeSelection, Plugin, Selection, TextSelection, type Command, type EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { duplicateBlocks, moveBlocks } from "../blocks.ts";
import { breakLine, indent, joinBackward, joinForward, outdent, splitLine, toggleCheckbox } from "../commands.ts";

import { deleteWithConfirmation, type DeleteQuestion } from "./delete-confirmation.ts";
import { linkTypedAddress, openCodeFence } from "./markdown-input-rules.ts";

const UNDO_DEPTH = 100;
const firstOf =
  (...commands: Command[]): Command =>
  (state, dispatch, view) =>
    commands.some((command) => command(state, dispatch, view));

/** Keys that delete the selection. */
const DELETE_KEYS = new Set(["Backspace", "Delete"]);

/** The DOM selection, if it is within the editor's text. */
function readDomSelection(view: EditorView): Selection | undefined {
  const { dom, state } = view;
  const shown = dom.ownerDocument.getSelection();
  if (!shown?.anchorNode || !shown.focusNode || shown.isCollapsed) return undefined;
  if (!dom.contains(shown.anchorNode) || !dom.contains(shown.focusNode)) return undefined;
  const resolvePos = (node: Node, offset: number) => state.doc.resolve(view.posAtDOM(node, offset));
  return TextSelection.between(
    resolvePos(shown.anchorNode, shown.anchorOffset),
    resolvePos(shown.focusNode, shown.focusOffset),
  );
}

/**
 * `selectionchange` is dispatched in a separate task, so a key may arrive first: sync the selection before handling it.
 */
function syncSelection(view: EditorView, { key }: KeyboardEvent): false {
  if (!DELETE_KEYS.has(key) || view.state.selection instanceof NodeSelection) return false;
  const selection = readDomSelection(view);
  if (selection && !selection.eq(view.state.selection)) view.dispatch(view.state.tr.setSelection(selection));
  return false;
}

/** Makes the chunk visible first, because a chunk that the browser skips has no layout to scroll to. */
const moveToEnd =
  (side: "start" | "end"): Command =>
  (state, _dispatch, view) => {
    if (!view) return false;
    const selection = side === "start" ? Selection.atStart(state.doc) : Selection.atEnd(state.doc);
    const chunk = side === "start" ? view.dom.firstElementChild : view.dom.lastElementChild;
    if (chunk instanceof HTMLElement) {
      chunk.style.contentVisibility = "visible";
      setTimeout(() => chunk.style.removeProperty("content-visibility"), 200);
    }
    view.dispatch(state.tr.setSelection(selection).scrollIntoView());
    return true;
  };

function enterBlock(view: EditorView): boolean {
  const { selection } = view.state;
  if (!(selection instanceof NodeSelection)) return false;
  const dom = view.nodeDOM(selection.from);
  const target =
    dom instanceof HTMLElement
      ? dom.querySelector<HTMLElement>("button, input, textarea, a[href], [tabindex='0']")
      : null;
  target?.focus();
  return target !== null;
}

/** If undo or redo throws, restores the previous state, so that it can be tried again. */
export const restoreOnError =
  (command: Command): Command =>
  (state, dispatch, view) => {
    try {
      return command(state, dispatch, view);
    } catch (error) {
      logWarning("Could not undo or redo an action", error);
      view?.updateState(state);
      notify({ message: t("pages.undo_failed"), type: "error" });
      return true;
    }
  };

/** Escape leaves the editor, so that Tab moves to the next control. */
const leaveEditor: Command = (_state, _dispatch, view) => {
  view?.dom.blur();
  return true;
};

/** Whether the last key triggered a Markdown input rule. */
const hasRuleToUndo = (state: EditorState) =>
  state.plugins.some((plugin) => plugin.spec["isInputRules"] === true && Boolean(plugin.getState(state)));

/** Undo and redo of the page, which are tried before those of the text. They return true if they changed something. */
export interface PageActions {
  undo(): boolean;
  redo(): boolean;
}

export function editorKeys(ask: (question: DeleteQuestion) => void, page: PageActions) {
  const deleteCommand = deleteWithConfirmation(ask);
  const [undoCommand, redoCommand] = [
    firstOf(() => page.undo(), restoreOnError(undo)),
    firstOf(() => page.redo(), restoreOnError(redo)),
  ];
  return Extension.create({
    name: "editor_keys",
    priority: 1000,
    addProseMirrorPlugins() {
      const { marks } = this.editor.schema;
      const toggle = (name: string): Command => {
        const mark = marks[name];
        return mark ? toggleMark(mark) : () => false;
      };
      // Checked first: the library's command dispatches a transaction even if there is nothing to undo.
      const undoRule: Command = (state) => hasRuleToUndo(state) && this.editor.commands.undoInputRule();
      const backward = firstOf(undoRule, deleteCommand, joinBackward);
      const forward = firstOf(deleteCommand, joinForward);
      const bindings: Record<string, Command> = {
        Enter: (state, dispatch, view) => {
          linkTypedAddress(state, dispatch, view);
          return firstOf(openCodeFence, splitLine)(view?.state ?? state, dispatch, view);
        },
        "Shift-Enter": breakLine,
        "Mod-Enter": toggleCheckbox,
        Backspace: backward,
        "Mod-Backspace": backward,
        "Shift-Backspace": backward,
        Delete: forward,
        "Mod-Delete": forward,
        Tab: (state, dispatch, view) => (view ? enterBlock(view) : false) || indent(state, dispatch),
        "Shift-Tab": outdent,
        Escape: leaveEditor,
        "Mod-Home": moveToEnd("start"),
        "Mod-End": moveToEnd("end"),
        "Alt-Shift-ArrowUp": moveBlocks("up"),
        "Alt-Shift-ArrowDown": moveBlocks("down"),
        "Mod-d": duplicateBlocks,
        "Mod-b": toggle("bold"),
        "Mod-i": toggle("italic"),
        "Mod-u": toggle("underline"),
        "Mod-Shift-s": toggle("strikethrough"),
        "Mod-e": toggle("inline_code"),
        "Mod-z": undoCommand,
        "Mod-Shift-z": redoCommand,
        "Mod-y": redoCommand,
      };
      const selectionSync = new Plugin({ props: { handleDOMEvents: { keydown: syncSelection } } });
      return [selectionSync, keymap(bindings), history({ depth: UNDO_DEPTH })];
    },
  });
}
