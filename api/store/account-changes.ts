import { EventEmitter } from "node:events";
import type { Change } from "#shared/sync/schema.ts";
import type { Own } from "./owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "./port.ts";

/**
 * The recent changes of one account, for its open browsers. One document, so that every change gets a sequence number.
 */
interface ChangesDoc extends OwnedDoc {
  seq: number;
  /** The most recent batches; the newest has number `seq`. */
  batches: { changes: Change[] }[];
  /** Number of the last change to searchable content; missing in older documents. */
  contentSeq?: number;
  /** Whether that change is not in the search index yet. */
  isUnindexed?: boolean;
}

const spec: CollectionSpec<ChangesDoc> = {
  name: "changes",
  shardKey: "_id",
  indexes: [{ fields: ["isUnindexed"] }],
};

/** The kinds of changes that search depends on. */
const CONTENT_KINDS = new Set<Change["kind"]>(["content", "page", "everything"]);
/** The event for a change that search depends on. Other events have the id of an account as their name. */
const CONTENT_CHANGED = "content changed";

const MAX_BATCHES = 64;
/** A larger set of changes is recorded as one change of everything, to keep the document small. */
const MAX_CHANGES = 24;
/** Poll interval for changes made by another process. */
const POLL_MS = 800;

/** Wakes waiters in this process; other processes poll. */
const emitters = new WeakMap<DocumentStore, EventEmitter>();

function emitterFor(store: DocumentStore): EventEmitter {
  const emitter = emitters.get(store) ?? new EventEmitter().setMaxListeners(0);
  emitters.set(store, emitter);
  return emitter;
}

/** Notifies every open browser of the account; a change names only what to reload, not its content. */
export async function publishChanges({ store, ownerId }: Own, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const published: Change[] = changes.length > MAX_CHANGES ? [{ kind: "everything", ids: [] }] : [...changes];
  const isContent = published.some(({ kind }) => CONTENT_KINDS.has(kind));
  await store.collection(spec).patchOrInsert(newDoc(ownerId), {
    ...(isContent && { set: { isUnindexed: true } }),
    increment: { seq: 1, ...(isContent && { contentSeq: 1 }) },
    push: { batches: [{ changes: published }] },
    keepLast: { batches: MAX_BATCHES },
  });
  emitterFor(store).emit(ownerId);
  if (isContent) emitterFor(store).emit(CONTENT_CHANGED, ownerId);
}

const newDoc = (ownerId: string): ChangesDoc => ({ _id: ownerId, ownerId, seq: 0, batches: [] });

/** Marks the account for indexing without notifying its browsers, after text recognition or a new transcript. */
export async function markUnindexed({ store, ownerId }: Own): Promise<void> {
  await store
    .collection(spec)
    .patchOrInsert(newDoc(ownerId), { set: { isUnindexed: true }, increment: { contentSeq: 1 } });
  emitterFor(store).emit(CONTENT_CHANGED, ownerId);
}

/** Calls `listener` with the account of every change to searchable content in this process, until the returned function is called. */
export function onContentChange(store: DocumentStore, listener: (ownerId: string) => void): () => void {
  emitterFor(store).on(CONTENT_CHANGED, listener);
  return () => void emitterFor(store).off(CONTENT_CHANGED, listener);
}

/** Number of the account's last change to searchable content. */
export const readContentSeq = async ({ store, ownerId }: Own): Promise<number> =>
  (await store.collection(spec).get(ownerId))?.contentSeq ?? 0;

/** Accounts with changes that are not in the search index, each with the number of its last change. */
export async function listUnindexed(
  store: DocumentStore,
  limit: number,
): Promise<{ ownerId: string; contentSeq: number }[]> {
  const docs = await store.collection(spec).find({ isUnindexed: true }, { fields: ["ownerId", "contentSeq"], limit });
  return docs.map(({ ownerId, contentSeq = 0 }) => ({ ownerId, contentSeq }));
}

/** Records that everything up to this change is indexed, unless another change was made in between. */
export async function markIndexed({ store, ownerId }: Own, contentSeq: number): Promise<void> {
  await store.collection(spec).patch({ _id: ownerId, contentSeq, isUnindexed: true }, { set: { isUnindexed: false } });
}

interface ChangesSince {
  seq: number;
  /** Undefined if some of these changes are no longer stored. */
  changes: Change[] | undefined;
}

/** The current sequence number, and the changes after `after`. */
export async function readChanges({ store, ownerId }: Own, after: number | undefined): Promise<ChangesSince> {
  const doc = await store.collection(spec).get(ownerId);
  const seq = doc?.seq ?? 0;
  const missed = after === undefined ? 0 : seq - after;
  const batches = doc?.batches ?? [];
  // After a backup was restored, `after` may be higher than every number in this store.
  if (missed < 0 || missed > batches.length) return { seq, changes: undefined };
  return { seq, changes: missed === 0 ? [] : batches.slice(-missed).flatMap((batch) => batch.changes) };
}

/** Resolves at the next change made in this process, after the poll interval, or on abort. */
export function waitForChange({ store, ownerId }: Own, signal: AbortSignal): Promise<void> {
  const emitter = emitterFor(store);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      emitter.off(ownerId, done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, POLL_MS);
    emitter.on(ownerId, done);
    signal.addEventListener("abort", done);
  });
}
