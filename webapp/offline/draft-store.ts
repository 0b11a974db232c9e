import type { DBSchema } from "idb";
import { openDatabase } from "#shared/sync/storage/open-database.ts";
import { withStorageTimeout } from "#shared/sync/storage/storage-timeout.ts";

interface DraftRow {
  accountId: string;
  pageId: string;
  /** The editor that wrote the draft. Two tabs may edit the same page. */
  editorId: string;
  writtenAt: number;
  draft: unknown;
}

interface DraftSchema extends DBSchema {
  drafts: { key: [string, string, string]; value: DraftRow };
}

/** Drafts have their own database, so that they never wait for the queue's transactions. */
const open = openDatabase<DraftSchema>({
  name: "lamplight-drafts",
  steps: [(db) => void db.createObjectStore("drafts", { keyPath: ["accountId", "pageId", "editorId"] })],
});

/** Without Web Locks, a draft that its editor has not replaced for this long belongs to a tab that was killed. */
const ABANDONED_AFTER_MS = 3_000;
const lockName = (editorId: string) => `lamplight-draft:${editorId}`;
/** Web Locks are missing without HTTPS. */
const hasLocks = () => Boolean(navigator.locks as LockManager | undefined);

/** One editor's edits of a page that the sync queue does not have yet. */
export interface DraftSlot {
  /** Resolves once the operating system has the data, so that the draft survives a browser crash. */
  write(draft: unknown): Promise<void>;
  remove(): Promise<void>;
  /** Marks the slot as in use, so that no other tab recovers its draft. Returns a function that ends this. */
  hold(): () => void;
}

export function openDraft(accountId: string, pageId: string): DraftSlot {
  const editorId = crypto.randomUUID();
  const write = async (draft: unknown) => {
    const tx = (await open()).transaction("drafts", "readwrite", { durability: "relaxed" });
    await Promise.all([tx.store.put({ accountId, pageId, editorId, writtenAt: Date.now(), draft }), tx.done]);
  };
  return {
    write: (draft) => withStorageTimeout(write(draft)),
    remove: () => withStorageTimeout(open().then((db) => db.delete("drafts", [accountId, pageId, editorId]))),
    hold() {
      const controller = new AbortController();
      const released = new Promise<void>((resolve) => controller.signal.addEventListener("abort", () => resolve()));
      // The lock is shared, because an editor may be mounted again before its last lock has been released.
      if (hasLocks()) void navigator.locks.request(lockName(editorId), { mode: "shared" }, () => released);
      return () => controller.abort();
    },
  };
}

async function isAbandoned({ editorId, writtenAt }: DraftRow): Promise<boolean> {
  if (!hasLocks()) return Date.now() - writtenAt > ABANDONED_AFTER_MS;
  const { held = [] } = await navigator.locks.query();
  return !held.some(({ name }) => name === lockName(editorId));
}

/** The drafts of a page from tabs that were killed, oldest first. They stay stored until `removeDraft` is called. */
export async function listAbandonedDrafts(accountId: string, pageId: string): Promise<DraftRow[]> {
  const range = IDBKeyRange.bound([accountId, pageId], [accountId, pageId, []]);
  const rows = await withStorageTimeout(open().then((db) => db.getAll("drafts", range)));
  const abandoned = await Promise.all(rows.map(async (row) => ((await isAbandoned(row)) ? [row] : [])));
  return abandoned.flat().toSorted((a, b) => a.writtenAt - b.writtenAt);
}

export async function removeDraft({ accountId, pageId, editorId }: DraftRow): Promise<void> {
  await (await open()).delete("drafts", [accountId, pageId, editorId]);
}

/** Removes all drafts of an account from this browser. */
export async function wipeDrafts(accountId: string): Promise<void> {
  await (await open()).delete("drafts", IDBKeyRange.bound([accountId], [accountId, []]));
}
