import type { EditorView } from "@tiptap/pm/view";

/** Blocks that are empty until something is written in them. */
const WRITTEN = new Set(["code_block", "equation"]);
const LATEST_MS = 2000;

let asked: { type: string; at: number } | undefined;

/** A block of this kind was just asked for by hand: it takes the keyboard as soon as its field stands there. */
export function askToWriteIn(type: string): void {
  if (WRITTEN.has(type)) asked = { type, at: performance.now() };
}

/** Whoever has gone elsewhere meanwhile is not called back. */
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

/** Out of a block to the block as a whole: by Escape, when it is written, and by Backspace where there is nothing in it. */
export function leavesBlock(event: KeyboardEvent, type: string): boolean {
  if (event.key === "Escape") return true;
  if (!WRITTEN.has(type) || !(event.target instanceof HTMLTextAreaElement)) return false;
  return event.key === "Enter"
    ? event.ctrlKey || event.metaKey
    : event.key === "Backspace" && event.target.value === "";
}
