/** The text item, or line end, of a text layer that contains a node. */
const itemOf = (node: Node | null): Element | null => {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest(".textLayer span:not(.markedContent), .textLayer br") ?? null;
};

/** How far a coordinate is outside of a range. */
const distanceTo = (from: number, to: number, at: number) => Math.max(from - at, at - to, 0);

interface Place {
  node: Node;
  offset: number;
}

/** The text item that is nearest to a point: on the nearest line, and of that line the nearest. */
function nearestText(layer: Element, x: number, y: number): { text: Text; box: DOMRect } | undefined {
  let nearest: { text: Text; box: DOMRect; down: number; across: number } | undefined;
  for (const { firstChild: text } of layer.querySelectorAll("span:not(.markedContent)")) {
    const box = text?.parentElement?.getBoundingClientRect();
    if (!(text instanceof Text) || !box) continue;
    const [down, across] = [distanceTo(box.top, box.bottom, y), distanceTo(box.left, box.right, x)];
    if (!nearest || down < nearest.down || (down === nearest.down && across < nearest.across))
      nearest = { text, box, down, across };
  }
  return nearest;
}

/** The place in the text that is nearest to a point beside it: an end of a line, or what is above or below the point. */
function nearestPlace(layer: Element, { clientX: x, clientY: y }: MouseEvent): Place | undefined {
  const nearest = nearestText(layer, x, y);
  if (!nearest) return undefined;
  const { text, box } = nearest;
  if (x > box.left && x < box.right) {
    // Safari before 18.4 does not have it.
    const caret = document.caretPositionFromPoint?.(x, (box.top + box.bottom) / 2);
    if (caret?.offsetNode === text) return { node: text, offset: caret.offset };
  }
  return { node: text, offset: x < (box.left + box.right) / 2 ? 0 : text.length };
}

/** The text of the page that is nearest to a point. */
function nearestLayer({ clientX: x, clientY: y }: MouseEvent): Element | undefined {
  let nearest: { layer: Element; down: number; across: number } | undefined;
  for (const layer of document.querySelectorAll(".textLayer")) {
    const box = layer.getBoundingClientRect();
    const [down, across] = [distanceTo(box.top, box.bottom, y), distanceTo(box.left, box.right, x)];
    if (!nearest || down < nearest.down || (down === nearest.down && across < nearest.across))
      nearest = { layer, down, across };
  }
  return nearest?.layer;
}

/** Puts the guard beside the item at which the selection ends, on the side towards which it grows. */
function placeBesideFocus(guard: HTMLElement, selection: Selection): void {
  const item = itemOf(selection.focusNode);
  if (!item) return;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  const growsUp = startContainer === selection.focusNode && startOffset === selection.focusOffset;
  if (growsUp) item.before(guard);
  else item.after(guard);
}

/** Whether the selection ends there. */
const endsAt = ({ focusNode, focusOffset }: Selection, { node, offset }: Place) =>
  focusNode === node && focusOffset === offset;

/**
 * Extends a selection to the nearest text while the pointer is beside the text, also beyond the edge of the page, where
 * a browser would go on to the end of the page.
 */
class SelectionFollower {
  /** Where the selection begins, if it was begun beside the text. */
  readonly #start: Place | undefined;
  /** The nearest text, while the pointer is beside it. */
  #nearest: Place | undefined;
  #isCorrected = false;

  constructor(start: Place | undefined) {
    this.#start = start;
  }

  followPointer(event: MouseEvent): void {
    const layer = itemOf(event.target as Node) ? undefined : nearestLayer(event);
    this.#nearest = layer && nearestPlace(layer, event);
    this.#isCorrected = false;
    this.correct();
  }

  /** Moves both ends back if the browser moved them; returns whether it did. Once for each move of the pointer. */
  correct(): boolean {
    const selection = document.getSelection();
    if (!selection?.anchorNode || !selection.focusNode || this.#isCorrected) return false;
    const anchor = this.#start ?? { node: selection.anchorNode, offset: selection.anchorOffset };
    const end = this.#nearest ?? { node: selection.focusNode, offset: selection.focusOffset };
    if (selection.anchorNode === anchor.node && selection.anchorOffset === anchor.offset && endsAt(selection, end))
      return false;
    selection.setBaseAndExtent(anchor.node, anchor.offset, end.node, end.offset);
    return true;
  }

  /** After the browser's own reaction to a move of the pointer. */
  correctOnce(): boolean {
    const isMoved = this.correct();
    this.#isCorrected ||= isMoved;
    return isMoved;
  }
}

/** Follows a selection until the button is released; `start` is where it begins, if it was begun beside the text. */
function follow(item: Element, start: Place | undefined): void {
  const guard = document.createElement("div");
  guard.className = "selection-guard";
  const follower = new SelectionFollower(start);
  const released = new AbortController();
  const { signal } = released;
  // Where the button is pressed on the guard itself, browsers begin no selection.
  if (start) window.addEventListener("mousemove", () => item.after(guard), { once: true, signal });
  else item.after(guard);
  const end = () => {
    follower.correctOnce();
    released.abort();
    guard.remove();
  };
  const onChange = () => {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed || follower.correctOnce()) return;
    placeBesideFocus(guard, selection);
  };
  document.addEventListener("selectionchange", onChange, { signal });
  document.addEventListener("mousemove", (event) => follower.followPointer(event), { signal });
  for (const type of ["mouseup", "pointercancel", "blur"]) window.addEventListener(type, end, { signal });
}

/**
 * Keeps a selection by mouse where the pointer is. Between the lines of a page there is no text: a browser would extend
 * the selection to the end of the page there. While the button is down, an empty layer under the text takes the pointer
 * instead, and as it follows the end of the selection in the document's order, nothing beyond is selected.
 */
export function guardSelection(layer: HTMLElement): void {
  layer.addEventListener("mousedown", (event) => {
    if (event.button !== 0) return;
    const pressed = itemOf(event.target as Node);
    const start = pressed ? undefined : nearestPlace(layer, event);
    const item = pressed ?? itemOf(start?.node ?? null);
    if (item) follow(item, start);
  });
}
