import type { EditorView } from "@tiptap/pm/view";

/** Blocks with a text field that starts empty. */
const WRITTEN = new Set(["code_block", "equation"]);
const LATEST_MS = 2000;

let asked: { type: string; at: number } | undefined;

/** Requests the focus for a block of this type, just inserted by hand, as soon as its field is rendered. */
export function askToWriteIn(type: string): void {
  if (WRITTEN.has(type)) asked = { type, at: performance.now() };
}

/** Skipped if the focus has left the editor meanwhile. */
export function takeKeyboard(dom: HTMLElement, type: string, view: EditorView): void {
  if (asked?.type !== type || performance.now() - asked.at > LATEST_MS) return;
  asked = undefined;
  const drawn = new MutationObserver(() => {
    const field = dom.querySelector("textarea");
    if (!field) return;
    drawn.disconnect();
    if (view.hasFocus()) field.focus();
  });
  drawn.observe(dom, { childList: true, subtree: true });
  setTimeout(() => drawn.disconnect(), LATEST_MS);
}

/** Whether a key leaves the field and selects its block: Escape, Ctrl+Enter, or Backspace in an empty field. */
export function leavesBlock(event: KeyboardEvent, type: string): boolean {
  if (event.key === "Escape") return true;
  if (!WRITTEN.has(type) || !(event.target instanceof HTMLTextAreaElement)) return false;
  return event.key === "Enter"
    ? event.ctrlKey || event.metaKey
    : event.key === "Backspace" && event.target.value === "";
}
