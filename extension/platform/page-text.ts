import { type Browser, browser } from "wxt/browser";
import { nextTask } from "#extension/app/tasks.ts";

const NAME = "page-text";
/** What is sent back where a message arrived without what was in it: this browser writes messages as JSON. */
const IN_PIECES = "pieces";
/** As much goes in one message of that kind: while one is on its way the next is written, and the one before is read. */
const PIECE = 100_000;

const isFirstHalf = (unit: number) => unit >= 0xd8_00 && unit <= 0xdb_ff;

/** A text in parts, cut between two characters and never within one. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = Math.min(from + PIECE, text.length);
    if (to < text.length && isFirstHalf(text.charCodeAt(to - 1))) to -= 1;
    parts.push(text.slice(from, to));
  }
  return parts;
}

async function sendPieces(port: Browser.runtime.Port, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    await nextTask();
    port.postMessage(part);
  }
}

/**
 * Runs in the page: sends a long text to whoever asked for it, as a blob, whose bytes no thread of ours has to carry. Answers
 * how long the text is. The way is opened first, and stands by the time that the text is written.
 */
export async function sendText(write: () => string): Promise<number> {
  const port = browser.runtime.connect({ name: NAME });
  const text = write();
  // Parts become a blob in half the time that the whole takes.
  const parts = partsOf(text);
  port.onMessage.addListener((asked: unknown) => {
    if (asked === IN_PIECES) void sendPieces(port, parts);
  });
  // The page works in between.
  await nextTask();
  port.postMessage(new Blob(parts));
  return text.length;
}

/** In UTF-8 a character takes one to three bytes for each of its units. */
const MOST_BYTES = 3;
const isOfLength = ({ size }: Blob, chars: number) => size >= chars && size <= chars * MOST_BYTES;

/** Whether what a blob holds can still be read: that of a page which is gone may be gone with it. */
export const isReadable = (blob: Blob): Promise<boolean> =>
  blob
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/**
 * Hears the text that a script of ours sends from the top document of a tab, and nobody else's. `whole` resolves with it
 * once so many characters are here; with undefined where the page goes away before, or sends something else.
 */
export function hearText(tabId: number): { whole: (chars: number) => Promise<Blob | undefined>; stop: () => void } {
  const pieces: string[] = [];
  let length = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let isAsked = false;
  let port: Browser.runtime.Port | undefined;
  let end: ((text: Blob | undefined) => void) | undefined;
  const ended = new Promise<Blob | undefined>((resolve) => {
    end = resolve;
  });
  const look = () => {
    if (length >= wanted) end?.(length === wanted ? new Blob(pieces) : undefined);
  };
  const take = (said: unknown) => {
    if (said instanceof Blob) return end?.(said);
    if (typeof said === "string" && said.length <= PIECE) {
      pieces.push(said);
      length += said.length;
      return look();
    }
    if (isAsked) return end?.(undefined);
    isAsked = true;
    port?.postMessage(IN_PIECES);
  };
  const opened = (by: Browser.runtime.Port) => {
    const { id, frameId, tab } = by.sender ?? {};
    const isOurs = id === browser.runtime.id && frameId === 0 && tab?.id === tabId;
    if (!isOurs || by.name !== NAME || port) return;
    port = by;
    by.onMessage.addListener(take);
    by.onDisconnect.addListener(() => end?.(undefined));
  };
  browser.runtime.onConnect.addListener(opened);
  return {
    whole: async (chars) => {
      wanted = chars;
      look();
      const text = await ended;
      return text && isOfLength(text, chars) ? text : undefined;
    },
    stop: () => {
      browser.runtime.onConnect.removeListener(opened);
      port?.disconnect();
    },
  };
}
