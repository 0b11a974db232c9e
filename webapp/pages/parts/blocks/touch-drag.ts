import type { EditorView } from "@tiptap/pm/view";
import { findBlockIdAt, moveBlockBefore } from "../../editor/blocks.ts";

const BLOCK = ".page-text, .page-block";
/** A shorter movement is a tap, which opens the menu. */
const MIN_DRAG_PX = 8;
/** Distance from the window's edges within which a drag scrolls the page. */
const EDGE_PX = 72;
const SCROLL_STEP_PX = 14;

interface DraggedBlock {
  container: HTMLElement;
  dom: HTMLElement;
}

function createDropLine(container: HTMLElement): HTMLElement {
  const line = document.createElement("div");
  const { left, width } = container.getBoundingClientRect();
  line.className = "block-drop-line";
  line.style.left = `${left}px`;
  line.style.width = `${width}px`;
  document.body.append(line);
  return line;
}

/** The block before which a drop at this height inserts; undefined for the end. */
function findBlockBelow(container: HTMLElement, y: number): HTMLElement | undefined {
  return [...container.querySelectorAll<HTMLElement>(BLOCK)].find((block) => {
    const { top, height } = block.getBoundingClientRect();
    return y < top + height / 2;
  });
}

function positionLine(line: HTMLElement, container: HTMLElement, target: HTMLElement | undefined): void {
  const last = [...container.querySelectorAll<HTMLElement>(BLOCK)].at(-1);
  const y = target ? target.getBoundingClientRect().top : (last?.getBoundingClientRect().bottom ?? 0);
  line.style.top = `${y - 2}px`;
}

function scrollAtEdge(y: number): void {
  if (y < EDGE_PX) window.scrollBy(0, -SCROLL_STEP_PX);
  else if (y > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_STEP_PX);
}

/** Drags a block by touch on its handle, because browsers start drag and drop by mouse only. */
export function startTouchDrag(start: PointerEvent, view: EditorView, { container, dom }: DraggedBlock): void {
  const handle = start.target;
  const id = findBlockIdAt(view, dom);
  if (!(handle instanceof Element) || id === undefined) return;
  handle.setPointerCapture(start.pointerId);
  let line: HTMLElement | undefined;
  let target: HTMLElement | undefined;
  const listeners = new AbortController();
  const onMove = ({ clientY }: PointerEvent) => {
    if (!line && Math.abs(clientY - start.clientY) < MIN_DRAG_PX) return;
    line ??= createDropLine(container);
    scrollAtEdge(clientY);
    target = findBlockBelow(container, clientY);
    positionLine(line, container, target);
  };
  const onEnd = ({ type }: PointerEvent) => {
    listeners.abort();
    line?.remove();
    if (!line || type !== "pointerup") return;
    moveBlockBefore(id, target && findBlockIdAt(view, target))(view.state, view.dispatch);
  };
  const options = { signal: listeners.signal };
  document.addEventListener("pointermove", onMove, options);
  document.addEventListener("pointerup", onEnd, options);
  document.addEventListener("pointercancel", onEnd, options);
}
