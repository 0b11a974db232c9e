import type { EditorView } from "@tiptap/pm/view";

/** Blocks with a text field that starts empty. */
const TEXT_FIELD_TYPES = new Set(["code_block", "equation"]);
/** A table is a text component. */
const FOCUSED_TYPES = new Set([...TEXT_FIELD_TYPES, "text"]);
const MAX_WAIT_MS = 2000;

interface PendingFocus {
  type: string;
  requestedAt: number;
  /** Text that was typed before the field was rendered, to be inserted into the field. */
  typed: string;
}

let pendingFocus: PendingFocus | undefined;

const currentFocus = () =>
  pendingFocus && performance.now() - pendingFocus.requestedAt <= MAX_WAIT_MS ? pendingFocus : undefined;

/** Focuses the field of a block that the student has just inserted, as soon as the field is rendered. */
export function requestFieldFocus(type: string): void {
  if (FOCUSED_TYPES.has(type)) pendingFocus = { type, requestedAt: performance.now(), typed: "" };
}

/** Buffers text that is typed before the field of a new block is rendered; false if there is no such field. */
export function bufferForField(text: string): boolean {
  const focus = currentFocus();
  if (focus) focus.typed += text;
  return focus !== undefined;
}

function typeInto(field: HTMLTextAreaElement, text: string): void {
  if (text === "") return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: text, inputType: "insertText" }));
}

/** Carries out a requested focus, unless the focus has left the editor in the meantime. */
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
