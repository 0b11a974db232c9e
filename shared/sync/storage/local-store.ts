import { type DBSchema, type IDBPTransaction, type StoreNames, unwrap } from "idb";
import { openDatabase } from "./open-database.ts";
import { ulid } from "ulid";
import type { PageState } from "../overlay.ts";
import { isStorageTimeout, StorageTimeoutError, withStorageTimeout } from "./storage-timeout.ts";
import type { QueuePosition, StoredRequest, SyncStorage } from "../store.ts";

interface RequestRow {
  accountId: string;
  id: string;
  seq: number;
  resourceId: string;
  item: StoredRequest;
}

interface PageRow {
  accountId: string;
  pageId: string;
  keptAt: number;
  state: PageState;
}

interface LocalSchema extends DBSchema {
  requests: {
    key: [string, string];
    value: RequestRow;
    indexes: { order: [string, number]; resource: [string, string, number] };
  };
  places: { key: string; value: QueuePosition };
  pages: { key: [string, string]; value: PageRow; indexes: { age: [string, number] } };
}

/** Opened pages cached per account; the least recently opened ones are removed first. */
export const MAX_CACHED_PAGES = 300;
/** Pages that were not opened for this long are removed. */
export const MAX_CACHE_AGE_DAYS = 90;
const MAX_CACHE_AGE_MS = MAX_CACHE_AGE_DAYS * 86_400_000;

/** This browser's database for all accounts; each row has its account's id. */
const open = openDatabase<LocalSchema>({
  name: "lamplight",
  steps: [
    (db) => {
      const requests = db.createObjectStore("requests", { keyPath: ["accountId", "id"] });
      requests.createIndex("order", ["accountId", "seq"]);
      requests.createIndex("resource", ["accountId", "resourceId", "seq"]);
      db.createObjectStore("places");
      db.createObjectStore("pages", { keyPath: ["accountId", "pageId"] }).createIndex("age", ["accountId", "keptAt"]);
    },
  ],
});

/** Errors of opening a database in browsers that deny storage, e.g. in private windows or by a setting. */
const DENIED = new Set(["SecurityError", "UnknownError", "InvalidStateError", "NotAllowedError"]);

export async function isDiskDenied(): Promise<boolean> {
  if (typeof indexedDB === "undefined") return true;
  try {
    await open();
    return false;
  } catch (error) {
    return error instanceof DOMException && DENIED.has(error.name);
  }
}

/** Whether a call has timed out and is still unanswered; no other call is made until it is answered. */
let isUnresponsive = false;

/** Rejects with a `StorageTimeoutError` if the browser does not answer in time, and immediately while it is unresponsive. */
async function inTime<T>(call: () => Promise<T>): Promise<T> {
  if (isUnresponsive) throw new StorageTimeoutError();
  const called = call();
  try {
    return await withStorageTimeout(called);
  } catch (error) {
    if (isStorageTimeout(error)) {
      isUnresponsive = true;
      const answered = () => {
        isUnresponsive = false;
      };
      called.then(answered, answered);
    }
    throw error;
  }
}

/** A transaction that is not answered in time is aborted, so that it has no effect later. */
async function transactInTime<T>(
  stores: StoreNames<LocalSchema>[],
  work: (tx: IDBPTransaction<LocalSchema, StoreNames<LocalSchema>[], "readwrite">) => Promise<T>,
): Promise<T> {
  const db = await open();
  let tx: IDBTransaction | undefined;
  const run = () => {
    const started = db.transaction(stores, "readwrite", { durability: "strict" });
    tx = unwrap(started);
    // Awaited by the work, unless the transaction is aborted before it gets there.
    started.done.catch(() => undefined);
    return work(started);
  };
  return inTime(run).catch((error: unknown) => {
    if (isStorageTimeout(error)) abort(tx);
    throw error;
  });
}

function abort(tx: IDBTransaction | undefined): void {
  try {
    tx?.abort();
  } catch {
    // The transaction has already ended.
  }
}

const readInTime = async <T>(read: (db: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> => {
  const db = await open();
  return inTime(() => read(db));
};

/** The key range of all rows of an account. An array key range covers all longer keys. */
const ofAccount = (accountId: string) => IDBKeyRange.bound([accountId], [accountId, []]);
const ofResource = (accountId: string, resourceId: string) =>
  IDBKeyRange.bound([accountId, resourceId], [accountId, resourceId, []]);

/** The sync queue on disk. `durability: "strict"` waits until data has left the system's memory. */
export const diskStorage: SyncStorage = {
  transact: ({ accountId, resourceId, reads }, work) =>
    transactInTime(["requests", "places"], async (tx) => {
      const requests = tx.objectStore("requests");
      const read = () =>
        resourceId === undefined
          ? requests.index("order").getAll(ofAccount(accountId))
          : requests.index("resource").getAll(ofResource(accountId, resourceId));
      const rows = reads === "nothing" ? [] : read();
      const [found, stored] = await Promise.all([rows, tx.objectStore("places").get(accountId)]);
      let position = stored ?? { clientId: ulid(), seq: 0 };
      const { put, remove, result } = work(
        found.map((row) => row.item),
        () => {
          position = { ...position, seq: position.seq + 1 };
          return position;
        },
      );
      const writes: Promise<unknown>[] = remove.map((id) => requests.delete([accountId, id]));
      for (const item of put) {
        const { id, seq, resourceId: itemResourceId } = item.request;
        writes.push(requests.put({ accountId, id, seq, resourceId: itemResourceId, item }));
      }
      if (position.seq !== stored?.seq) writes.push(tx.objectStore("places").put(position, accountId));
      try {
        await Promise.all([...writes, tx.done]);
      } catch (error) {
        // A write that fails with its transaction only reports AbortError; the transaction has the cause.
        throw tx.error ?? error;
      }
      return result;
    }),
  async list(accountId) {
    const rows = await readInTime((db) => db.getAllFromIndex("requests", "order", ofAccount(accountId)));
    return rows.map((row) => row.item);
  },
  wipe: (accountId) =>
    transactInTime(["requests", "places", "pages"], async (tx) => {
      await Promise.all([
        tx.objectStore("requests").delete(ofAccount(accountId)),
        tx.objectStore("places").delete(accountId),
        tx.objectStore("pages").delete(ofAccount(accountId)),
        tx.done,
      ]);
    }),
};

export async function readCachedPage(accountId: string, pageId: string): Promise<PageState | undefined> {
  return (await readInTime((db) => db.get("pages", [accountId, pageId])))?.state;
}

/** Every page of an account that was opened in this browser. */
export async function listCachedPages(accountId: string): Promise<PageState[]> {
  return (await readInTime((db) => db.getAll("pages", ofAccount(accountId)))).map((row) => row.state);
}

/** When a page of an account was last cached here; 0 if none is. */
export async function newestCachedAt(accountId: string): Promise<number> {
  const last = await readInTime((db) =>
    db.transaction("pages").store.index("age").openKeyCursor(ofAccount(accountId), "prev"),
  );
  const key = last?.key;
  return Array.isArray(key) && typeof key[1] === "number" ? key[1] : 0;
}

export async function writeCachedPage(accountId: string, pageId: string, state: PageState): Promise<void> {
  const tx = (await open()).transaction("pages", "readwrite");
  await tx.store.put({ accountId, pageId, keptAt: Date.now(), state });
  const old = await tx.store.index("age").getAllKeys(ofAccount(accountId));
  for (const key of old.slice(0, Math.max(0, old.length - MAX_CACHED_PAGES))) await tx.store.delete(key);
  const stale = IDBKeyRange.bound([accountId, 0], [accountId, Date.now() - MAX_CACHE_AGE_MS]);
  for (const key of await tx.store.index("age").getAllKeys(stale)) await tx.store.delete(key);
  await tx.done;
}

/** Changes a cached page in one transaction; does nothing if it is not cached. */
export async function changeCachedPage(
  accountId: string,
  pageId: string,
  change: (state: PageState) => PageState,
): Promise<void> {
  const tx = (await open()).transaction("pages", "readwrite");
  const row = await tx.store.get([accountId, pageId]);
  if (row) await tx.store.put({ ...row, state: change(row.state) });
  await tx.done;
}

/** Removes the cached pages of an account; unsent requests stay. */
export async function removeCachedPages(accountId: string): Promise<void> {
  await (await open()).delete("pages", ofAccount(accountId));
}

export async function removeCachedPage(accountId: string, pageId: string): Promise<void> {
  await (await open()).delete("pages", [accountId, pageId]);
}

/** Requests persistent storage, which the browser does not clear when the disk fills up; it may refuse. */
export async function requestPersistentStorage(): Promise<void> {
  const storage: StorageManager | undefined = navigator.storage;
  if (storage?.persist && !(await storage.persisted())) await storage.persist();
}
