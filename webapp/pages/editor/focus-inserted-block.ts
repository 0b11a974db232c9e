import type { EditorView } from "@tiptap/pm/view";

/** Blocks with a text field that starts empty. */
const TEXT_FIELD_TYPES = new Set(["code_block", "equation"]);
const MAX_WAIT_MS = 2000;

let pendingFocus: { type: string; requestedAt: number } | undefined;

/** Requests the focus for a block of this type, just inserted by hand, as soon as its field is rendered. */
export function requestFieldFocus(type: string): void {
  if (TEXT_FIELD_TYPES.has(type)) pendingFocus = { type, requestedAt: performance.now() };
}

/** Skipped if the focus has left the editor meanwhile. */
export function focusWhenRendered(dom: HTMLElement, type: string, view: EditorView): void {
  if (pendingFocus?.type !== type || performance.now() - pendingFocus.requestedAt > MAX_WAIT_MS) return;
  pendingFocus = undefined;
  const observer = new MutationObserver(() => {
    const field = dom.querySelector("textarea");
    if (!field) return;
    observer.disconnect();
    if (view.hasFocus()) field.focus();
  });
  observer.observe(dom, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), MAX_WAIT_MS);
}

/** Whether a key leaves the field and selects its block: Escape, Ctrl+Enter, or Backspace in an empty field. */
export function shouldLeaveField(event: KeyboardEvent, type: string): boolean {
  if (event.key === "Escape") return true;
  if (!TEXT_FIELD_TYPES.has(type) || !(event.target instanceof HTMLTextAreaElement)) return false;
  return event.key === "Enter"
    ? event.ctrlKey || event.metaKey
    : event.key === "Backspace" && event.target.value === "";
}
