import { Extension } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import type { Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { findBlockIdAt, moveBlockBefore } from "./blocks.ts";
import { findBlock, listBlocks } from "./chunks.ts";

/** The elements of blocks, which are the children of chunks. */
export const BLOCK_SELECTOR = ".page-text, .page-block";

const listBlockElements = (chunk: Element | undefined) =>
  [...(chunk?.children ?? [])].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.matches(BLOCK_SELECTOR),
  );

interface DropPosition {
  above: HTMLElement | undefined;
  /** The block before which a drop inserts; undefined for the end. */
  below: HTMLElement | undefined;
}

/** The half of the block under the pointer decides. Only one chunk is measured, because a page may have thousands of blocks. */
function findDropPosition({ dom }: EditorView, y: number): DropPosition {
  const chunks = [...dom.children];
  const at = chunks.findIndex((chunk) => y < chunk.getBoundingClientRect().bottom);
  if (at === -1) return { above: listBlockElements(chunks.at(-1)).at(-1), below: undefined };
  const blocks = listBlockElements(chunks[at]);
  const index = blocks.findIndex((block) => {
    const { top, height } = block.getBoundingClientRect();
    return y < top + height / 2;
  });
  if (index === -1) return { above: blocks.at(-1), below: listBlockElements(chunks[at + 1])[0] };
  return { above: blocks[index - 1] ?? listBlockElements(chunks[at - 1]).at(-1), below: blocks[index] };
}

const LINE_PX = 3;

/** The line between the blocks where a dragged block would land. */
export class DropLine {
  readonly #view: EditorView;
  readonly #line = document.createElement("div");

  constructor(view: EditorView) {
    this.#view = view;
    this.#line.className = "block-drop-line";
  }

  get isShown(): boolean {
    return this.#line.isConnected;
  }

  moveTo(pointerY: number): void {
    const { above, below } = findDropPosition(this.#view, pointerY);
    const top = above?.getBoundingClientRect().bottom ?? below?.getBoundingClientRect().top ?? 0;
    const bottom = below?.getBoundingClientRect().top ?? top;
    const { left, width } = this.#view.dom.getBoundingClientRect();
    const { style } = this.#line;
    style.left = `${left}px`;
    style.width = `${width}px`;
    style.top = `${(top + bottom - LINE_PX) / 2}px`;
    if (!this.isShown) document.body.append(this.#line);
  }

  remove(): void {
    this.#line.remove();
  }
}

const findIdBelow = (view: EditorView, pointerY: number) => {
  const { below } = findDropPosition(view, pointerY);
  return below && findBlockIdAt(view, below);
};

/** Moves a dragged block, with its nested lines, to where the drop line is at this height. */
export function moveBlockTo(view: EditorView, id: string, pointerY: number): void {
  moveBlockBefore(id, findIdBelow(view, pointerY))(view.state, view.dispatch);
}

/** Inserts copies where the drop line is at this height; the structure plugin gives them ids. */
function copyBlocksTo(view: EditorView, slice: Slice, pointerY: number): void {
  const { doc } = view.state;
  const below = findBlock(doc, findIdBelow(view, pointerY) ?? "");
  const last = listBlocks(doc).at(-1);
  const pos = below?.pos ?? (last ? last.pos + last.node.nodeSize : 0);
  const copies = slice.content.content.map((node) =>
    node.type.create({ ...node.attrs, id: null }, node.content, node.marks),
  );
  view.dispatch(closeHistory(view.state.tr).insert(pos, copies));
}

/** The id of the whole block that is dragged; undefined for words and for what comes from elsewhere. */
function findDraggedId(view: EditorView, slice: Slice | undefined): string | undefined {
  const id: unknown = slice?.openStart === 0 ? slice.content.firstChild?.attrs["id"] : undefined;
  return typeof id === "string" && findBlock(view.state.doc, id) ? id : undefined;
}

const isDraggingBlock = (view: EditorView) => findDraggedId(view, view.dragging?.slice) !== undefined;

/** The handle is in the margin, so a block can be dropped beside the text as well. */
const isBesideText = ({ dom }: EditorView, target: EventTarget | null) =>
  target instanceof Element && (target.contains(dom) || dom.closest("main")?.contains(target) === true);

function trackDrag(view: EditorView): { destroy: () => void } {
  const line = new DropLine(view);
  const listeners = new AbortController();
  const options = { signal: listeners.signal };
  const removeLine = () => line.remove();
  const onDrag = (event: DragEvent) => {
    if (!isDraggingBlock(view) || !isBesideText(view, event.target)) return removeLine();
    event.preventDefault();
    return line.moveTo(event.clientY);
  };
  const onDrop = (event: DragEvent) => {
    removeLine();
    const id = findDraggedId(view, view.dragging?.slice);
    if (id === undefined || event.defaultPrevented || !isBesideText(view, event.target)) return;
    event.preventDefault();
    moveBlockTo(view, id, event.clientY);
    view.focus();
  };
  const onEnd = () => {
    removeLine();
    // The editor does not notice the end of a drag that began at the handle.
    view.dragging = null;
  };
  document.addEventListener("dragenter", onDrag, options);
  document.addEventListener("dragover", onDrag, options);
  document.addEventListener("drop", onDrop, options);
  document.addEventListener("dragend", onEnd, options);
  return {
    destroy: () => {
      listeners.abort();
      removeLine();
    },
  };
}

const createBlockDropPlugin = () =>
  new Plugin({
    view: trackDrag,
    props: {
      handleDrop(view, { clientY }, slice, isMove) {
        const id = findDraggedId(view, slice);
        if (id === undefined) return false;
        if (isMove) moveBlockTo(view, id, clientY);
        else copyBlocksTo(view, slice, clientY);
        view.focus();
        return true;
      },
    },
  });

/** Drops dragged blocks between others. The library's drop cursor, which follows the text position, is for words only. */
export const blockDrop = Extension.create({
  name: "block_drop",
  // Before dropped files.
  priority: 1101,
  addProseMirrorPlugins: () => [createBlockDropPlugin()],
  extendNodeSchema: () => ({ disableDropCursor: isDraggingBlock }),
});
