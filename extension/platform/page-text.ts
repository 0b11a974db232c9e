import { type Browser, browser } from "wxt/browser";
import { nextTask } from "#extension/app/tasks.ts";

const NAME = "page-text";
/** Requests the text in pieces, because this browser serialises messages as JSON and drops blobs. */
const IN_PIECES = "pieces";
/** Characters per message, so that sending and receiving overlap. */
const PIECE = 100_000;

const isFirstHalf = (unit: number) => unit >= 0xd8_00 && unit <= 0xdb_ff;

/** Splits a text without breaking surrogate pairs. */
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
 * Injected: sends a long text as a blob, so that no thread copies its bytes. Returns its length. The port is opened
 * first, so that it is ready when the text is.
 */
export async function sendText(write: () => string): Promise<number> {
  const port = browser.runtime.connect({ name: NAME });
  const text = write();
  // Building a blob from parts takes half the time.
  const parts = partsOf(text);
  port.onMessage.addListener((asked: unknown) => {
    if (asked === IN_PIECES) void sendPieces(port, parts);
  });
  // Let the page work in between.
  await nextTask();
  port.postMessage(new Blob(parts));
  return text.length;
}

/** A UTF-16 unit takes one to three bytes in UTF-8. */
const MOST_BYTES = 3;
const isOfLength = ({ size }: Blob, chars: number) => size >= chars && size <= chars * MOST_BYTES;

/** Whether a blob is still readable: it may vanish together with its page. */
export const isReadable = (blob: Blob): Promise<boolean> =>
  blob
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/**
 * Receives the text that our script sends from a tab's top document, and from nowhere else. `whole` resolves when all
 * characters have arrived, or with undefined if the page closes or sends something else.
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
