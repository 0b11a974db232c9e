import { type Browser, browser } from "wxt/browser";
import { nextTask } from "#extension/app/tasks.ts";

const NAME = "page-text";
/** Requests the text in pieces, for browsers that serialise messages as JSON and so drop blobs. */
const REQUEST_PIECES = "pieces";
/** Characters per message, so that sending and receiving overlap. */
const PIECE_CHARS = 100_000;

const isHighSurrogate = (unit: number) => unit >= 0xd8_00 && unit <= 0xdb_ff;

/** Splits a text without breaking surrogate pairs. */
function splitText(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = Math.min(from + PIECE_CHARS, text.length);
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
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
  // Building a blob from parts takes half the time of building it from the whole text.
  const parts = splitText(text);
  port.onMessage.addListener((request: unknown) => {
    if (request === REQUEST_PIECES) void sendPieces(port, parts);
  });
  // Let the page work in between.
  await nextTask();
  port.postMessage(new Blob(parts));
  return text.length;
}

/** A UTF-16 unit takes one to three bytes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;
const isOfLength = ({ size }: Blob, chars: number) => size >= chars && size <= chars * MAX_BYTES_PER_UNIT;

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
 * Receives the text that our script sends from a tab's top document, and from nowhere else. `readAll` resolves when
 * all characters have arrived, or with undefined if the page closes or sends something else.
 */
export function receiveText(tabId: number): {
  readAll: (chars: number) => Promise<Blob | undefined>;
  stop: () => void;
} {
  const pieces: string[] = [];
  let length = 0;
  let expectedChars = Number.POSITIVE_INFINITY;
  let hasRequestedPieces = false;
  let port: Browser.runtime.Port | undefined;
  let end: ((text: Blob | undefined) => void) | undefined;
  const result = new Promise<Blob | undefined>((resolve) => {
    end = resolve;
  });
  const checkComplete = () => {
    if (length >= expectedChars) end?.(length === expectedChars ? new Blob(pieces) : undefined);
  };
  const handleMessage = (message: unknown) => {
    if (message instanceof Blob) return end?.(message);
    if (typeof message === "string" && message.length <= PIECE_CHARS) {
      pieces.push(message);
      length += message.length;
      return checkComplete();
    }
    if (hasRequestedPieces) return end?.(undefined);
    hasRequestedPieces = true;
    port?.postMessage(REQUEST_PIECES);
  };
  const handleConnect = (newPort: Browser.runtime.Port) => {
    const { id, frameId, tab } = newPort.sender ?? {};
    const isOurs = id === browser.runtime.id && frameId === 0 && tab?.id === tabId;
    if (!isOurs || newPort.name !== NAME || port) return;
    port = newPort;
    newPort.onMessage.addListener(handleMessage);
    newPort.onDisconnect.addListener(() => end?.(undefined));
  };
  browser.runtime.onConnect.addListener(handleConnect);
  return {
    readAll: async (chars) => {
      expectedChars = chars;
      checkComplete();
      const text = await result;
      return text && isOfLength(text, chars) ? text : undefined;
    },
    stop: () => {
      browser.runtime.onConnect.removeListener(handleConnect);
      port?.disconnect();
    },
  };
}
