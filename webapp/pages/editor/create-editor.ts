import { Editor, Extension } from "@tiptap/core";
import type { Node as PmNode } from "@tiptap/pm/model";
import { dropCursor } from "@tiptap/pm/dropcursor";
import { Plugin } from "@tiptap/pm/state";
import type { Block } from "#shared/pages/document.ts";
import { typeBelowSelectedBlock } from "./commands.ts";
import { blockDrop } from "./block-drop.ts";
import { createBlockView, type BlockMounts } from "./block-view.ts";
import { createPageDocument } from "./changes.ts";
import { findBlockAt } from "./chunks.ts";
import { createClipboardPlugin } from "./clipboard/clipboard.ts";
import { createCompletionPlugin, type CompletionPort } from "./typing/completion.ts";
import { bufferForField } from "./focus-inserted-block.ts";
import type { DeleteQuestion } from "./typing/delete-confirmation.ts";
import { editorKeys, type PageActions } from "./typing/keys.ts";
import { ComponentBlock, documentNodes } from "./nodes.ts";
import { createNumberingPlugin, getInitialNumbers } from "./numbering.ts";
import type { PastedPicture } from "./clipboard/pasted-pictures.ts";
import { createFormulaPlugin } from "./typing/formula-editing.ts";
import { createPlaceholderPlugin } from "./typing/placeholder.ts";
import { createSelectionPlugin, type SelectionPort } from "./typing/selection-plugin.ts";
import { createSlashPlugin, type SlashMenuPort } from "./typing/slash-plugin.ts";
import { createStructurePlugin } from "./structure.ts";
import { markdownInputRules } from "./typing/markdown-input-rules.ts";

/** Margins that keep the caret clear of the top bar and the bottom edge. */
const CARET_MARGIN = { top: 72, right: 0, bottom: 48, left: 0 };

export interface PageEditorOptions {
  element: HTMLElement;
  blocks: readonly Block[];
  newId: () => string;
  mounts: BlockMounts;
  slash: SlashMenuPort;
  completion: CompletionPort;
  selection: SelectionPort;
  page: PageActions;
  askDelete: (question: DeleteQuestion) => void;
  dropFiles: (files: readonly File[]) => void;
  takePictures: (pictures: readonly PastedPicture[]) => void;
  openReference: (kind: string, target: string) => void;
  words: { label: string; placeholder: string };
}

/** From this many chunks on, off-screen ones are skipped. Shorter pages stay complete for screen readers. */
const LONG_PAGE_CHUNKS = 8;

/** Set on the container, because the document's own attributes are applied after its first layout. */
const updateLengthClass = (container: HTMLElement, doc: PmNode) =>
  void container.classList.toggle("is-long", doc.childCount > LONG_PAGE_CHUNKS);

const createLengthClassPlugin = (container: HTMLElement) =>
  new Plugin({
    view: () => ({
      update({ state }, before) {
        if (state.doc.childCount !== before.doc.childCount) updateLengthClass(container, state.doc);
      },
    }),
  });

/** Clicks: a checkbox toggles, a reference opens, a link opens with Ctrl or Cmd. */
const createClickPlugin = (openReference: PageEditorOptions["openReference"]) =>
  new Plugin({
    props: {
      handleDOMEvents: {
        mousedown(view, event) {
          const box = event.target instanceof Element ? event.target.closest(".page-checkbox") : null;
          if (!box) return false;
          event.preventDefault();
          const block = findBlockAt(view.state.doc.resolve(view.posAtDOM(box, 0)));
          if (!block) return true;
          const isChecked = block.node.attrs["subType"] === "list_checkbox_checked";
          const subType = isChecked ? "list_checkbox_unchecked" : "list_checkbox_checked";
          view.dispatch(view.state.tr.setNodeAttribute(block.pos, "subType", subType));
          return true;
        },
        click(_view, event) {
          const chip = event.target instanceof Element ? event.target.closest<HTMLElement>(".page-reference") : null;
          const { reference = "link", target = "" } = chip?.dataset ?? {};
          if (chip && reference !== "link") {
            event.preventDefault();
            openReference(reference, target);
            return true;
          }
          const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
          if (!link || !(event.ctrlKey || event.metaKey)) return false;
          window.open(link.href, "_blank", "noopener,noreferrer");
          return true;
        },
      },
    },
  });

const createFilesPlugin = (take: PageEditorOptions["dropFiles"]) => {
  const takeFrom = (event: Event, data: DataTransfer | null) => {
    const found = [...(data?.files ?? [])];
    // Copied text may come with a picture of the same text. The text is pasted then, not the picture.
    if (found.length === 0 || data?.types.includes("text/plain") === true) return false;
    event.preventDefault();
    take(found);
    return true;
  };
  return new Plugin({
    props: {
      handleDrop: (_view, event) => takeFrom(event, event.dataTransfer),
      handlePaste: (_view, event) => takeFrom(event, event.clipboardData),
    },
  });
};

/** Text goes into the field of a block that was just inserted; a selected block is never replaced by typing. */
const createBlockTypingPlugin = () =>
  new Plugin({
    props: { handleTextInput: (view, _from, _to, text) => bufferForField(text) || typeBelowSelectedBlock(view, text) },
  });

/** Set on the node type: plugin node views are created after the first render, so the page would render twice. */
const createComponentNode = (mounts: BlockMounts) => {
  const show = createBlockView(mounts);
  return ComponentBlock.extend({ addNodeView: () => (props) => show(props.node, props.view, props.getPos) });
};

/** Creates the editor of a page. The order of the plugins is the order in which they handle keys. */
export function createPageEditor(options: PageEditorOptions): Editor {
  const { element, blocks, newId, mounts, slash, words } = options;
  const plugins = Extension.create({
    name: "page_plugins",
    // Above the key bindings, because the slash menu handles Enter while it is open.
    priority: 1100,
    addProseMirrorPlugins: () => [
      createSlashPlugin(slash),
      createFormulaPlugin(),
      createCompletionPlugin(options.completion),
      createSelectionPlugin(options.selection),
      createStructurePlugin(newId),
      createNumberingPlugin(),
      createPlaceholderPlugin(words.placeholder),
      createClipboardPlugin({ newId, take: options.takePictures }),
      createClickPlugin(options.openReference),
      createBlockTypingPlugin(),
      dropCursor({ class: "page-drop", color: false }),
      createLengthClassPlugin(element),
      createFilesPlugin(options.dropFiles),
    ],
  });
  // Built in a detached element, so that the browser lays out the page only once.
  const detached = document.createElement("div");
  const editor = new Editor({
    element: detached,
    content: createPageDocument(blocks, newId),
    extensions: [
      ...documentNodes.filter((node) => node !== ComponentBlock),
      createComponentNode(mounts),
      plugins,
      blockDrop,
      editorKeys(options.askDelete, options.page),
      markdownInputRules,
    ],
    // The content security policy blocks the library's own style element.
    injectCSS: false,
    enableCoreExtensions: { keymap: false, delete: false, textDirection: false, drop: false, paste: false },
    editorProps: {
      decorations: getInitialNumbers,
      scrollThreshold: CARET_MARGIN,
      scrollMargin: CARET_MARGIN,
      attributes: {
        class: "page-document",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": words.label,
      },
    },
  });
  updateLengthClass(element, editor.state.doc);
  // A new editor selects a file at the start of the page. The selection is shown only after the editor had the focus.
  const { dom } = editor.view;
  dom.addEventListener("focusin", () => dom.setAttribute("data-used", ""), { once: true });
  element.append(...detached.childNodes);
  return editor;
}
