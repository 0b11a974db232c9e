import type { Lock } from "#shared/sync/flusher.ts";

const lastTaskByName = new Map<string, Promise<unknown>>();

/**
 * A lock across tabs. Without HTTPS there are no Web Locks, so the lock only works within the tab, and tabs rely on the
 * server's locks.
 */
export const lock: Lock = (name, work) => {
  const locks: LockManager | undefined = navigator.locks;
  if (locks) return locks.request(name, work);
  const task = (lastTaskByName.get(name) ?? Promise.resolve()).then(work, work);
  lastTaskByName.set(
    name,
    task.catch(() => undefined),
  );
  return task;
};

interface TabChannel<T> {
  post(message: T): void;
  listen(onMessage: (message: T) => void): () => void;
}

/** A broadcast channel between this browser's tabs; undefined if unsupported. */
export function openChannel<T>(name: string): TabChannel<T> | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  const channel = new BroadcastChannel(name);
  return {
    // The rule is about windows. A BroadcastChannel only reaches our own origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    post: (message) => channel.postMessage(message),
    listen: (onMessage) => {
      const listener = (event: MessageEvent<T>) => onMessage(event.data);
      channel.addEventListener("message", listener);
      return () => {
        channel.removeEventListener("message", listener);
        channel.close();
      };
    },
  };
}
