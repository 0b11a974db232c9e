/** The text item, or line end, of a text layer that contains a node. */
const itemOf = (node: Node | null): Element | null => {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest(".textLayer span:not(.markedContent), .textLayer br") ?? null;
};

/** The distance of a coordinate from a range; 0 inside the range. */
const distanceTo = (from: number, to: number, coordinate: number) => Math.max(from - coordinate, coordinate - to, 0);

interface TextPosition {
  node: Node;
  offset: number;
}

/** The nearest text item to a point: the nearest item of the nearest line. */
function findNearestText(layer: Element, x: number, y: number): { text: Text; box: DOMRect } | undefined {
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

/**
 * The nearest text position to a point beside the text: the end of a line, or the position above or below the point.
 */
function findNearestPosition(layer: Element, { clientX: x, clientY: y }: MouseEvent): TextPosition | undefined {
  const nearest = findNearestText(layer, x, y);
  if (!nearest) return undefined;
  const { text, box } = nearest;
  if (x > box.left && x < box.right) {
    // Safari before 18.4 does not have `caretPositionFromPoint`.
    const caret = document.caretPositionFromPoint?.(x, (box.top + box.bottom) / 2);
    if (caret?.offsetNode === text) return { node: text, offset: caret.offset };
  }
  return { node: text, offset: x < (box.left + box.right) / 2 ? 0 : text.length };
}

/** The text layer of the page that is nearest to a point. */
function findNearestLayer({ clientX: x, clientY: y }: MouseEvent): Element | undefined {
  let nearest: { layer: Element; down: number; across: number } | undefined;
  for (const layer of document.querySelectorAll(".textLayer")) {
    const box = layer.getBoundingClientRect();
    const [down, across] = [distanceTo(box.top, box.bottom, y), distanceTo(box.left, box.right, x)];
    if (!nearest || down < nearest.down || (down === nearest.down && across < nearest.across))
      nearest = { layer, down, across };
  }
  return nearest?.layer;
}

/** Inserts the guard next to the item at the end of the selection, on the side towards which the selection grows. */
function placeBesideFocus(guard: HTMLElement, selection: Selection): void {
  const item = itemOf(selection.focusNode);
  if (!item) return;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  const growsUp = startContainer === selection.focusNode && startOffset === selection.focusOffset;
  if (growsUp) item.before(guard);
  else item.after(guard);
}

/** Whether the moving end of the selection is at this position. */
const hasFocusAt = ({ focusNode, focusOffset }: Selection, { node, offset }: TextPosition) =>
  focusNode === node && focusOffset === offset;

/**
 * Extends a selection to the nearest text while the pointer is beside the text or outside the page. A browser would
 * extend it to the end of the page.
 */
class SelectionFollower {
  /** The start of the selection, if the pointer was pressed beside the text. */
  readonly #start: TextPosition | undefined;
  /** The nearest text position while the pointer is beside the text. */
  #nearest: TextPosition | undefined;
  #isCorrected = false;

  constructor(start: TextPosition | undefined) {
    this.#start = start;
  }

  followPointer(event: MouseEvent): void {
    const layer = itemOf(event.target as Node) ? undefined : findNearestLayer(event);
    this.#nearest = layer && findNearestPosition(layer, event);
    this.#isCorrected = false;
    this.correct();
  }

  /** Moves both ends of the selection back if the browser moved them; returns whether this was necessary. */
  correct(): boolean {
    const selection = document.getSelection();
    if (!selection?.anchorNode || !selection.focusNode || this.#isCorrected) return false;
    const anchor = this.#start ?? { node: selection.anchorNode, offset: selection.anchorOffset };
    const end = this.#nearest ?? { node: selection.focusNode, offset: selection.focusOffset };
    if (selection.anchorNode === anchor.node && selection.anchorOffset === anchor.offset && hasFocusAt(selection, end))
      return false;
    selection.setBaseAndExtent(anchor.node, anchor.offset, end.node, end.offset);
    return true;
  }

  /** Corrects the browser's own change of the selection, at most once for each move of the pointer. */
  correctOnce(): boolean {
    const isMoved = this.correct();
    this.#isCorrected ||= isMoved;
    return isMoved;
  }
}

/** Follows a selection until the button is released. `start` is set if the pointer was pressed beside the text. */
function followSelection(item: Element, start: TextPosition | undefined): void {
  const guard = document.createElement("div");
  guard.className = "selection-guard";
  const follower = new SelectionFollower(start);
  const released = new AbortController();
  const { signal } = released;
  // Inserted only after the first move, because browsers start no selection if the button is pressed on the guard.
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
 * Keeps the end of a mouse selection at the pointer. There is no text between the lines of a page, so a browser would
 * extend the selection to the end of the page there. While the button is down, an empty layer under the text, the
 * guard, receives the pointer instead. The guard directly follows the end of the selection in document order, so that
 * nothing beyond the end is selected.
 */
export function guardSelection(layer: HTMLElement): void {
  layer.addEventListener("mousedown", (event) => {
    if (event.button !== 0) return;
    const pressed = itemOf(event.target as Node);
    const start = pressed ? undefined : findNearestPosition(layer, event);
    const item = pressed ?? itemOf(start?.node ?? null);
    if (item) followSelection(item, start);
  });
}
