import type { EditorView } from "@tiptap/pm/view";

/** Blocks with a text field that starts empty. */
const TEXT_FIELD_TYPES = new Set(["code_block", "equation"]);
/** A table is a text component. */
const FOCUSED_TYPES = new Set([...TEXT_FIELD_TYPES, "text"]);
const MAX_WAIT_MS = 2000;

interface PendingFocus {
  type: string;
  requestedAt: number;
  /** What was typed before the field was there; it belongs into the field. */
  typed: string;
}

let pendingFocus: PendingFocus | undefined;

const currentFocus = () =>
  pendingFocus && performance.now() - pendingFocus.requestedAt <= MAX_WAIT_MS ? pendingFocus : undefined;

/** Requests the focus for a block of this type, just inserted by hand, as soon as its field is rendered. */
export function requestFieldFocus(type: string): void {
  if (FOCUSED_TYPES.has(type)) pendingFocus = { type, requestedAt: performance.now(), typed: "" };
}

/** Keeps text that is typed while the field of a new block is awaited; false if none is. */
export function holdForField(text: string): boolean {
  const focus = currentFocus();
  if (focus) focus.typed += text;
  return focus !== undefined;
}

function typeInto(field: HTMLTextAreaElement, text: string): void {
  if (text === "") return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: text, inputType: "insertText" }));
}

/** Skipped if the focus has left the editor meanwhile. */
export function focusWhenRendered(dom: HTMLElement, type: string, view: EditorView): void {
  const focus = currentFocus();
  if (focus?.type !== type) return;
  const finish = () => {
    observer.disconnect();
    if (pendingFocus === focus) pendingFocus = undefined;
  };
  const observer = new MutationObserver(() => {
    const field = dom.querySelector("textarea");
    if (!field) return;
    finish();
    if (!view.hasFocus()) return;
    field.focus();
    typeInto(field, focus.typed);
  });
  observer.observe(dom, { childList: true, subtree: true });
  setTimeout(() => {
    if (pendingFocus !== focus) return;
    finish();
    if (focus.typed !== "" && !view.isDestroyed) view.dispatch(view.state.tr.insertText(focus.typed));
  }, MAX_WAIT_MS);
}

/** Whether a key leaves the field and selects its block: Escape, Ctrl+Enter, or Backspace in an empty field. */
export function shouldLeaveField(event: KeyboardEvent, type: string): boolean {
  if (event.key === "Escape") return true;
  if (!TEXT_FIELD_TYPES.has(type) || !(event.target instanceof HTMLTextAreaElement)) return false;
  return event.key === "Enter"
    ? event.ctrlKey || event.metaKey
    : event.key === "Backspace" && event.target.value === "";
}
