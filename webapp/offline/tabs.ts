import type { Lock } from "#shared/sync/flusher.ts";

const turns = new Map<string, Promise<unknown>>();

/** Web Locks reach across tabs; where a page is served without encryption there are none, and tabs rely on the server's. */
export const lock: Lock = (name, work) => {
  const locks: LockManager | undefined = navigator.locks;
  if (locks) return locks.request(name, work);
  const turn = (turns.get(name) ?? Promise.resolve()).then(work, work);
  turns.set(
    name,
    turn.catch(() => undefined),
  );
  return turn;
};

interface Channel<T> {
  post(message: T): void;
  listen(heard: (message: T) => void): () => void;
}

/** What the tabs of this browser tell each other; undefined where it has no such thing. */
export function openChannel<T>(name: string): Channel<T> | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  const channel = new BroadcastChannel(name);
  return {
    // A channel reaches our own origin alone; it is windows that need a target named.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    post: (message) => channel.postMessage(message),
    listen: (heard) => {
      const listener = (event: MessageEvent<T>) => heard(event.data);
      channel.addEventListener("message", listener);
      return () => {
        channel.removeEventListener("message", listener);
        channel.close();
      };
    },
  };
}
