import type { EditorView } from "@tiptap/pm/view";
import { DropLine, moveBlockTo } from "../../editor/block-drop.ts";
import { findBlockIdAt } from "../../editor/blocks.ts";

/** A shorter movement is a tap, which opens the menu. */
const MIN_DRAG_PX = 8;
/** Distance from the window's edges within which a drag scrolls the page. */
const EDGE_PX = 72;
const SCROLL_STEP_PX = 14;

function scrollAtEdge(y: number): void {
  if (y < EDGE_PX) window.scrollBy(0, -SCROLL_STEP_PX);
  else if (y > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_STEP_PX);
}

/** Drags a block by touch on its handle, because browsers start drag and drop by mouse only. */
export function startTouchDrag(start: PointerEvent, view: EditorView, dom: HTMLElement): void {
  const handle = start.target;
  const id = findBlockIdAt(view, dom);
  if (!(handle instanceof Element) || id === undefined) return;
  handle.setPointerCapture(start.pointerId);
  const line = new DropLine(view);
  const listeners = new AbortController();
  const onMove = ({ clientY }: PointerEvent) => {
    if (!line.isShown && Math.abs(clientY - start.clientY) < MIN_DRAG_PX) return;
    scrollAtEdge(clientY);
    line.moveTo(clientY);
  };
  const onEnd = ({ type, clientY }: PointerEvent) => {
    const isDragged = line.isShown;
    listeners.abort();
    line.remove();
    if (isDragged && type === "pointerup") moveBlockTo(view, id, clientY);
  };
  const options = { signal: listeners.signal };
  document.addEventListener("pointermove", onMove, options);
  document.addEventListener("pointerup", onEnd, options);
  document.addEventListener("pointercancel", onEnd, options);
}
