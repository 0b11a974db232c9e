/** Named keys that the document handles, besides single characters. */
const NAMED: ReadonlySet<string> = new Set(
  "ArrowLeft ArrowRight ArrowUp ArrowDown PageUp PageDown Home End Enter Escape".split(" "),
);
/** Share of the window height that the browser itself would have scrolled. */
const SCROLLED: Readonly<Record<string, number>> = {
  ArrowDown: 0.05,
  ArrowUp: -0.05,
  PageDown: 0.9,
  PageUp: -0.9,
  " ": 0.9,
};
/** Buffered keys are dropped if no screen has claimed them by then. */
const MAX_HELD_MS = 10_000;

const held: KeyboardEvent[] = [];
let isGiving = false;

const isField = (target: EventTarget | null): target is HTMLInputElement => target instanceof HTMLInputElement;

function hold(event: KeyboardEvent): void {
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (!event.isTrusted || hasModifier || (event.key.length > 1 && !NAMED.has(event.key))) return;
  // During replay, newer keys queue behind the buffered ones, wherever they are typed.
  if (!isGiving && isField(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  held.push(event);
}

/** Buffers key presses until the screen that handles them is mounted. */
export function holdKeys(): void {
  addEventListener("keydown", hold, true);
  setTimeout(() => isGiving || dropKeys(), MAX_HELD_MS);
}

/** Stops buffering: something other than a paged document is shown and handles its own keys. */
export function dropKeys(): void {
  removeEventListener("keydown", hold, true);
  held.length = 0;
}

/** Replays the buffered keys in order once the screen handles keys. */
export async function giveKeys(): Promise<void> {
  if (isGiving) return;
  isGiving = true;
  for (let key = held.shift(); key; key = held.shift()) {
    await settled();
    press(key);
  }
  isGiving = false;
  dropKeys();
}

/** Waits until what a key opened is rendered and focused. */
const settled = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => done());
    setTimeout(done, 100);
  });

function press({ key, code, shiftKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body;
  const event = new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true });
  const isTaken = !target.dispatchEvent(event);
  if (isTaken) return;
  if (isField(target) && key.length === 1) {
    const [from, to] = [target.selectionStart ?? target.value.length, target.selectionEnd ?? target.value.length];
    target.setRangeText(key, from, to, "end");
    target.dispatchEvent(new InputEvent("input", { bubbles: true, data: key, inputType: "insertText" }));
    return;
  }
  const share = SCROLLED[key];
  const pages = target.closest(".pdf-scroller");
  if (share !== undefined) pages?.scrollBy({ top: pages.clientHeight * (shiftKey && key === " " ? -share : share) });
}
