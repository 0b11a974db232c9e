import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

/** Shows a hint in the caret's empty line, and in the only line of an empty page. */
export const createPlaceholderPlugin = (text: string) =>
  new Plugin({
    props: {
      decorations({ doc, selection }) {
        const isEmptyPage = doc.childCount === 1 && doc.firstChild?.childCount === 1;
        const $pos = isEmptyPage ? doc.resolve(2) : selection.$from;
        if (!selection.empty || $pos.depth < 2 || $pos.parent.content.size > 0) return null;
        if ($pos.parent.attrs["subType"] !== "normal") return null;
        const line = Decoration.node($pos.before(2), $pos.after(2), { "data-placeholder": text });
        return DecorationSet.create(doc, [line]);
      },
    },
  });
