import type { Lock } from "#shared/sync/flusher.ts";

const turns = new Map<string, Promise<unknown>>();

/** A lock across tabs (Web Locks). Without HTTPS these are missing, and tabs rely on the server's locking. */
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

/** A broadcast channel between this browser's tabs; undefined if unsupported. */
export function openChannel<T>(name: string): Channel<T> | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  const channel = new BroadcastChannel(name);
  return {
    // A BroadcastChannel only reaches our own origin; the rule is about windows.
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
