/** Keys that mean something to a document besides letters and signs. */
const NAMED: ReadonlySet<string> = new Set(
  "ArrowLeft ArrowRight ArrowUp ArrowDown PageUp PageDown Home End Enter Escape".split(" "),
);
/** By how much of the window the browser itself would have scrolled. */
const SCROLLED: Readonly<Record<string, number>> = {
  ArrowDown: 0.05,
  ArrowUp: -0.05,
  PageDown: 0.9,
  PageUp: -0.9,
  " ": 0.9,
};
/** Where no screen came for them they are no longer meant. */
const MAX_HELD_MS = 10_000;

const held: KeyboardEvent[] = [];
let isGiving = false;

const isField = (target: EventTarget | null): target is HTMLInputElement => target instanceof HTMLInputElement;

function hold(event: KeyboardEvent): void {
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (!event.isTrusted || hasModifier || (event.key.length > 1 && !NAMED.has(event.key))) return;
  // While the held ones are given, those that follow wait behind them, wherever they are typed.
  if (!isGiving && isField(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  held.push(event);
}

/** A page may be read before there is a screen that hears keys: from now on those are kept for it. */
export function holdKeys(): void {
  addEventListener("keydown", hold, true);
  setTimeout(() => isGiving || dropKeys(), MAX_HELD_MS);
}

/** What is shown is no page: its keys are its own. */
export function dropKeys(): void {
  removeEventListener("keydown", hold, true);
  held.length = 0;
}

/** The screen hears keys now: it is given those that were pressed before, one after the other. */
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

/** What a key opened is there, and has the focus. */
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
