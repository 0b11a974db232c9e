import { EventEmitter } from "node:events";
import type { Change } from "#shared/sync/schema.ts";
import type { Own } from "./owned.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "./port.ts";

/** What changed lately in one account, for the browsers that show it: one document, so that every change has a number. */
interface ChangesDoc extends OwnedDoc {
  seq: number;
  /** The last ones; the newest has the number `seq`. */
  batches: { changes: Change[] }[];
}

const spec: CollectionSpec<ChangesDoc> = { name: "changes", shardKey: "_id", indexes: [] };

const KEPT_BATCHES = 64;
/** More than this at once is told as one change of everything: the document stays small. */
const MAX_CHANGES = 24;
/** How often another process's changes are looked for. */
const POLL_MS = 800;

/** Wakes those who wait in this process; another's hear of it by looking. */
const news = new WeakMap<DocumentStore, EventEmitter>();

function newsOf(store: DocumentStore): EventEmitter {
  const known = news.get(store) ?? new EventEmitter().setMaxListeners(0);
  news.set(store, known);
  return known;
}

/** Tells every browser of the account; what is told is only where to look. */
export async function noteChanges({ store, ownerId }: Own, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const told: Change[] = changes.length > MAX_CHANGES ? [{ kind: "everything", ids: [] }] : [...changes];
  await store
    .collection(spec)
    .patchOrInsert(
      { _id: ownerId, ownerId, seq: 0, batches: [] },
      { increment: { seq: 1 }, push: { batches: [{ changes: told }] }, keepLast: { batches: KEPT_BATCHES } },
    );
  newsOf(store).emit(ownerId);
}

interface Read {
  seq: number;
  /** Undefined where more happened since than is remembered. */
  changes: Change[] | undefined;
}

/** Where the account's changes stand, and what came after `after`. */
export async function readChanges({ store, ownerId }: Own, after: number | undefined): Promise<Read> {
  const doc = await store.collection(spec).get(ownerId);
  const seq = doc?.seq ?? 0;
  const missed = after === undefined ? 0 : seq - after;
  const batches = doc?.batches ?? [];
  // A number from before a store was put back is higher than any that it gave.
  if (missed < 0 || missed > batches.length) return { seq, changes: undefined };
  return { seq, changes: missed === 0 ? [] : batches.slice(-missed).flatMap((batch) => batch.changes) };
}

/** Resolves with the next change made in this process, after a while, or when nobody waits any more. */
export function nextChange({ store, ownerId }: Own, signal: AbortSignal): Promise<void> {
  const emitter = newsOf(store);
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
