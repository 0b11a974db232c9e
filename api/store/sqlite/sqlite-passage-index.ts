import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Hit, IndexedPassage, PassageIndex, UnembeddedPassage } from "../search/port.ts";
import type { IndexAnswer, IndexCall } from "./passage-worker.ts";

const INDEX_FILE = "lamplight-index.db";

interface PendingCall {
  resolve(value: unknown): void;
  reject(cause: Error): void;
}

/**
 * The passage index of a data folder: SQLite FTS5 in a worker thread, so that neither searching nor indexing blocks
 * requests. The thread starts with the first call.
 */
export function openSqlitePassages(folder: string): PassageIndex {
  let thread: { worker: Worker; waiting: Map<number, PendingCall> } | undefined;
  let count = 0;

  function startThread() {
    const worker = new Worker(new URL("./passage-worker.ts", import.meta.url), {
      workerData: join(folder, INDEX_FILE),
      execArgv: [],
    });
    const waiting = new Map<number, PendingCall>();
    const fail = () => {
      if (thread?.worker === worker) thread = undefined;
      for (const call of waiting.values()) call.reject(new Error("the passage index stopped"));
      waiting.clear();
    };
    worker.on("message", (answer: IndexAnswer) => {
      const call = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) worker.unref();
      if ("error" in answer) call?.reject(new Error(`the passage index failed: ${answer.error}`));
      else call?.resolve(answer.value);
    });
    worker.on("error", fail).on("exit", fail);
    return { worker, waiting };
  }

  function callThread(method: IndexCall["method"], ...args: unknown[]): Promise<unknown> {
    thread ??= startThread();
    const { worker, waiting } = thread;
    count += 1;
    const call: IndexCall = { id: count, method, args };
    return new Promise((resolve, reject) => {
      waiting.set(call.id, { resolve, reject });
      worker.ref();
      worker.postMessage(call, []);
    });
  }

  return {
    versions: async (ownerId) => new Map((await callThread("versions", ownerId)) as [string, string][]),
    put: async (ownerId, source, passages) => void (await callThread("put", ownerId, source, passages)),
    remove: async (ownerId, sourceIds) => void (await callThread("remove", ownerId, sourceIds)),
    removeOwner: async (ownerId) => void (await callThread("removeOwner", ownerId)),
    search: async (ownerId, request) => (await callThread("search", ownerId, request)) as Hit[],
    read: async (ownerId, sourceId, range) => (await callThread("read", ownerId, sourceId, range)) as IndexedPassage[],
    unembedded: async (...args) => (await callThread("unembedded", ...args)) as UnembeddedPassage[],
    putVectors: async (...args) => void (await callThread("putVectors", ...args)),
    nearest: async (ownerId, request) => (await callThread("nearest", ownerId, request)) as Hit[],
    async close() {
      await thread?.worker.terminate();
    },
  };
}
