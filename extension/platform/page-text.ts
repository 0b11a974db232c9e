import { type Browser, browser } from "wxt/browser";
import { nextTask } from "#extension/kit/tasks.ts";

const NAME = "page-text";
/** As much goes in one message: while one is on its way the next is written, and the one before is read. */
const PIECE = 100_000;

/** Runs in the page, and lets it work between two pieces: sends a long text to whoever asked for it. Answers how long it is. */
export async function sendText(text: string): Promise<number> {
  const port = browser.runtime.connect({ name: NAME });
  for (let from = 0; from < text.length; from += PIECE) {
    await nextTask();
    port.postMessage(text.slice(from, from + PIECE));
  }
  return text.length;
}

/**
 * Hears the text that a script of ours sends from the top document of a tab, and nobody else's. `whole` resolves with it
 * once so many characters are here; with undefined where the page goes away before, or sends something else.
 */
export function hearText(tabId: number): { whole: (chars: number) => Promise<string | undefined>; stop: () => void } {
  const pieces: string[] = [];
  let length = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let port: Browser.runtime.Port | undefined;
  let end: ((isWhole: boolean) => void) | undefined;
  const ended = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const take = (piece: unknown) => {
    if (typeof piece !== "string" || piece.length > PIECE) return end?.(false);
    pieces.push(piece);
    length += piece.length;
    if (length >= wanted) end?.(length === wanted);
  };
  const opened = (by: Browser.runtime.Port) => {
    const { id, frameId, tab } = by.sender ?? {};
    const isOurs = id === browser.runtime.id && frameId === 0 && tab?.id === tabId;
    if (!isOurs || by.name !== NAME || port) return;
    port = by;
    by.onMessage.addListener(take);
    by.onDisconnect.addListener(() => end?.(false));
  };
  browser.runtime.onConnect.addListener(opened);
  return {
    whole: async (chars) => {
      wanted = chars;
      if (length >= wanted) end?.(length === wanted);
      return (await ended) ? pieces.join("") : undefined;
    },
    stop: () => {
      browser.runtime.onConnect.removeListener(opened);
      port?.disconnect();
    },
  };
}
