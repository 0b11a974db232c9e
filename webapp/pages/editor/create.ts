import { Editor, Extension } from "@tiptap/core";
import type { Node as PmNode } from "@tiptap/pm/model";
import { dropCursor } from "@tiptap/pm/dropcursor";
import { Plugin } from "@tiptap/pm/state";
import type { Block } from "#shared/pages/document.ts";
import { blockView, type Mounts } from "./block-view.ts";
import { openDocument } from "./changes.ts";
import { blockAround } from "./chunks.ts";
import { clipboard } from "./clipboard.ts";
import { completion, type CompletionDoor } from "./completion.ts";
import { editorKeys, type DeleteQuestion, type PageActions } from "./keys.ts";
import { ComponentBlock, documentNodes } from "./nodes.ts";
import { numbering, numbersAtFirst } from "./numbering.ts";
import type { PastedPicture } from "./pasted-pictures.ts";
import { placeholder } from "./placeholder.ts";
import { slashCommands, type SlashMenuDoor } from "./slash.ts";
import { keepStructure } from "./structure.ts";
import { markdownTyping } from "./typing.ts";

/** The caret stays clear of the bar above and of the edge below. */
const CARET_ROOM = { top: 72, right: 0, bottom: 48, left: 0 };

export interface EditorParts {
  element: HTMLElement;
  blocks: readonly Block[];
  newId: () => string;
  mounts: Mounts;
  slash: SlashMenuDoor;
  completion: CompletionDoor;
  page: PageActions;
  askDelete: (question: DeleteQuestion) => void;
  dropFiles: (files: readonly File[]) => void;
  takePictures: (pictures: readonly PastedPicture[]) => void;
  openReference: (kind: string, target: string) => void;
  words: { label: string; placeholder: string };
}

/** Chunks beyond which off-screen ones are skipped: a short page stays whole for those who do not look at it. */
const LONG_PAGE_CHUNKS = 8;

/** On the place and not on the document, whose own attributes come after its first layout. */
const markLength = (place: HTMLElement, doc: PmNode) =>
  void place.classList.toggle("is-long", doc.childCount > LONG_PAGE_CHUNKS);

const lengthClass = (place: HTMLElement) =>
  new Plugin({
    view: () => ({
      update({ state }, before) {
        if (state.doc.childCount !== before.doc.childCount) markLength(place, state.doc);
      },
    }),
  });

/** A press on a box ticks it, one on a chip opens what it names; a press on a link with Ctrl or Cmd opens it. */
const presses = (openReference: EditorParts["openReference"]) =>
  new Plugin({
    props: {
      handleDOMEvents: {
        mousedown(view, event) {
          const box = event.target instanceof Element ? event.target.closest(".page-checkbox") : null;
          if (!box) return false;
          event.preventDefault();
          const block = blockAround(view.state.doc.resolve(view.posAtDOM(box, 0)));
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

const files = (take: EditorParts["dropFiles"]) => {
  const takeFrom = (event: Event, data: DataTransfer | null) => {
    const found = [...(data?.files ?? [])];
    // A copied passage may carry a picture of itself along: then it is text that is meant.
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

/** By the node itself: a plugin's views come after the first drawing, so that the whole page would be drawn twice. */
const shownComponents = (mounts: Mounts) => {
  const show = blockView(mounts);
  return ComponentBlock.extend({ addNodeView: () => (props) => show(props.node, props.view, props.getPos) });
};

/** One page's editor, from blocks; the pieces stand in the order in which they see a key. */
export function createPageEditor(parts: EditorParts): Editor {
  const { element, blocks, newId, mounts, slash, words } = parts;
  const plugins = Extension.create({
    name: "page_plugins",
    // Before the keys: the slash menu takes Enter while it is open.
    priority: 1100,
    addProseMirrorPlugins: () => [
      slashCommands(slash),
      completion(parts.completion),
      keepStructure(newId),
      numbering(),
      placeholder(words.placeholder),
      clipboard({ newId, take: parts.takePictures }),
      presses(parts.openReference),
      dropCursor({ class: "page-drop", color: false }),
      lengthClass(element),
      files(parts.dropFiles),
    ],
  });
  // Drawn apart from the screen: the browser would lay the whole page out in the middle of it.
  const apart = document.createElement("div");
  const editor = new Editor({
    element: apart,
    content: openDocument(blocks, newId),
    extensions: [
      ...documentNodes.filter((each) => each !== ComponentBlock),
      shownComponents(mounts),
      plugins,
      editorKeys(parts.askDelete, parts.page),
      markdownTyping,
    ],
    // A style element of the library's own would be refused by our content policy.
    injectCSS: false,
    enableCoreExtensions: { keymap: false, delete: false, textDirection: false, drop: false, paste: false },
    editorProps: {
      decorations: numbersAtFirst,
      scrollThreshold: CARET_ROOM,
      scrollMargin: CARET_ROOM,
      attributes: {
        class: "page-document",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": words.label,
      },
    },
  });
  markLength(element, editor.state.doc);
  element.append(...apart.childNodes);
  return editor;
}
