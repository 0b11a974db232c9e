import { Failure } from "#shared/contract/failure.ts";
import { diskStorage } from "#shared/sync/storage/local-store.ts";
import { createSyncQueue, type SyncQueue } from "#shared/sync/queue.ts";
import type { TabChannel, TabMessage } from "#shared/sync/outcomes.ts";
import { client } from "./client.ts";
import { runDiskWrite } from "./disk-errors.ts";
import { readSetting } from "./settings-store.ts";

function openChannel(): TabChannel {
  const channel = new BroadcastChannel("lamplight-sync");
  return {
    // BroadcastChannel reaches only our origin; a target is needed only for windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    post: (message) => channel.postMessage(message),
    listen: (onMessage) => {
      const listener = (event: MessageEvent<TabMessage>) => onMessage(event.data);
      channel.addEventListener("message", listener);
      return () => {
        channel.removeEventListener("message", listener);
        channel.close();
      };
    },
  };
}

let openedQueue: { queue: SyncQueue; started: Promise<void> } | undefined;

/** The sync queue of an account: the web app's implementation on the extension's own storage. */
export async function openQueue(accountId: string): Promise<SyncQueue> {
  if (openedQueue?.queue.accountId !== accountId) {
    void openedQueue?.queue.stop();
    const queue = createSyncQueue({
      accountId,
      storage: { ...diskStorage, transact: (scope, work) => runDiskWrite(() => diskStorage.transact(scope, work)) },
      send: async (batches) => {
        // An account's changes are sent only with that account's token; the server checks this too.
        if ((await readSetting("account"))?.accountId !== accountId) throw new Failure("signed_out", "sign_in");
        return client.sync.sendBatches({ accountId, batches });
      },
      clock: { now: () => Date.now() },
      schedule: (work, delayMs) => {
        const timer = setTimeout(work, delayMs);
        return () => clearTimeout(timer);
      },
      random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
      lock: (name, work) => navigator.locks.request(name, work),
      online: () => navigator.onLine,
      channel: openChannel(),
    });
    openedQueue = { queue, started: queue.start() };
  }
  const { queue, started } = openedQueue;
  try {
    await started;
  } catch (error) {
    // A queue that failed to start, as with a full disk, never recovers: the next call creates a new one.
    if (openedQueue?.queue === queue) openedQueue = undefined;
    void queue.stop();
    throw error;
  }
  return queue;
}
