import { Plugin, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** The toolbar for selected text. */
export interface SelectionPort {
  /** Called whenever the selection, or the text beneath it, may have changed; null without selected text. */
  show(view: EditorView | null): void;
  makeCard(view: EditorView): void;
}

/** The toolbar and its menus, which take the focus while the text stays selected. */
const TOOLS = ".format-bar, [role='menu']";

const hasSelectedText = ({ state: { selection, doc } }: EditorView) =>
  selection instanceof TextSelection &&
  !selection.empty &&
  doc.textBetween(selection.from, selection.to, " ").trim() !== "";

/** Reports selected text, once the mouse that selects it is released. */
export function createSelectionPlugin(port: SelectionPort): Plugin {
  let isPressed = false;
  let isShown = false;
  const report = (view: EditorView) => {
    const isSelected = !isPressed && view.hasFocus() && hasSelectedText(view);
    if (!isSelected && !isShown) return;
    isShown = isSelected;
    port.show(isSelected ? view : null);
  };
  return new Plugin({
    view: (view) => {
      const release = () => {
        if (!isPressed) return;
        isPressed = false;
        // The browser changes its selection after the event.
        setTimeout(() => !view.isDestroyed && report(view));
      };
      document.addEventListener("pointerup", release);
      document.addEventListener("pointercancel", release);
      return {
        update: (current, before) => {
          if (!current.state.selection.eq(before.selection) || current.state.doc !== before.doc) report(current);
        },
        destroy: () => {
          document.removeEventListener("pointerup", release);
          document.removeEventListener("pointercancel", release);
          if (isShown) port.show(null);
        },
      };
    },
    props: {
      handleKeyDown(view, { altKey, ctrlKey, metaKey, code }) {
        if (!altKey || ctrlKey || metaKey || code !== "KeyC" || !hasSelectedText(view)) return false;
        port.makeCard(view);
        return true;
      },
      handleDOMEvents: {
        pointerdown(view) {
          isPressed = true;
          report(view);
          return false;
        },
        blur(view) {
          setTimeout(() => {
            if (view.isDestroyed || view.hasFocus() || document.activeElement?.closest(TOOLS)) return;
            if (isShown) port.show(null);
            isShown = false;
          });
          return false;
        },
        focus(view) {
          setTimeout(() => !view.isDestroyed && report(view));
          return false;
        },
      },
    },
  });
}
