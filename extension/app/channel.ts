/** Messages between the extension's own documents; pages have no access to this channel. */
type ChangeMessage = "account" | "captures" | "work" | "saved" | "library" | "full" | "gesture" | "research";

const NAME = "lamplight";
const localListeners = new Set<(message: ChangeMessage) => void>();
let channel: BroadcastChannel | undefined;

function open(): BroadcastChannel {
  if (channel) return channel;
  channel = new BroadcastChannel(NAME);
  channel.addEventListener("message", ({ data }: MessageEvent<ChangeMessage>) => notifyLocal(data));
  return channel;
}

function notifyLocal(message: ChangeMessage): void {
  for (const listener of localListeners) listener(message);
}

/** Notifies all documents of the extension, including this one, of a change on disk. */
export function notify(message: ChangeMessage): void {
  // BroadcastChannel reaches only our origin; a target is needed only for windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  open().postMessage(message);
  notifyLocal(message);
}

export function listen(expected: ChangeMessage, onMessage: () => void): () => void {
  open();
  const listener = (message: ChangeMessage) => {
    if (message === expected) onMessage();
  };
  localListeners.add(listener);
  return () => localListeners.delete(listener);
}
