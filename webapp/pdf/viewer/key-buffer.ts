import { isTyping } from "./is-typing.ts";

/** Named keys that the document handles, besides single characters. */
const NAMED_KEYS: ReadonlySet<string> = new Set(
  "ArrowLeft ArrowRight ArrowUp ArrowDown PageUp PageDown Home End Enter Escape".split(" "),
);
/** Share of the visible height that the browser itself would have scrolled. */
const SCROLL_SHARES: Readonly<Record<string, number>> = {
  ArrowDown: 0.05,
  ArrowUp: -0.05,
  PageDown: 0.9,
  PageUp: -0.9,
  " ": 0.9,
};
/** Buffered keys are dropped if no screen has claimed them by then. */
const MAX_BUFFER_MS = 10_000;

const bufferedKeys: KeyboardEvent[] = [];
let isReplaying = false;

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

function bufferKey(event: KeyboardEvent): void {
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (!event.isTrusted || hasModifier || (event.key.length > 1 && !NAMED_KEYS.has(event.key))) return;
  // During replay, newer keys queue behind the buffered ones, also in a field.
  if (isTyping(event) && !(isReplaying && isField(event.target))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  bufferedKeys.push(event);
}

/** Buffers key presses until the screen that handles them is mounted. */
export function startBufferingKeys(): void {
  addEventListener("keydown", bufferKey, true);
  setTimeout(() => isReplaying || discardBufferedKeys(), MAX_BUFFER_MS);
}

/** Stops buffering and drops the keys, for a screen that is not a paged document. */
export function discardBufferedKeys(): void {
  removeEventListener("keydown", bufferKey, true);
  bufferedKeys.length = 0;
}

/** Replays the buffered keys in order once the screen handles keys. */
export async function replayKeys(): Promise<void> {
  if (isReplaying) return;
  isReplaying = true;
  for (let key = bufferedKeys.shift(); key; key = bufferedKeys.shift()) {
    await waitForFocus();
    dispatchKey(key);
  }
  isReplaying = false;
  discardBufferedKeys();
}

/** Waits one frame, so that a dialog or field opened by the last key is rendered and focused. */
const waitForFocus = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => done());
    setTimeout(done, 100);
  });

function dispatchKey({ key, code, shiftKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body;
  const event = new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true });
  const isHandled = !target.dispatchEvent(event);
  if (isHandled) return;
  if (isField(target) && key.length === 1) {
    const [from, to] = [target.selectionStart ?? target.value.length, target.selectionEnd ?? target.value.length];
    target.setRangeText(key, from, to, "end");
    target.dispatchEvent(new InputEvent("input", { bubbles: true, data: key, inputType: "insertText" }));
    return;
  }
  const share = SCROLL_SHARES[key];
  const scroller = target.closest(".pdf-scroller");
  if (share !== undefined)
    scroller?.scrollBy({ top: scroller.clientHeight * (shiftKey && key === " " ? -share : share) });
}
