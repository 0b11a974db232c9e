import { Failure } from "#shared/contract/failure.ts";
import type { OwnedCollection } from "./owned-store.ts";
import type { Filter, OwnedDoc, Patch } from "./port.ts";

/** Remembers that a request was applied, and with what outcome, so that a repeat gets the same answer. */
export interface IdempotencyRecord {
  id: string;
  version?: number;
  conflict?: boolean;
  /** True if the stored content differs from what the request sent. */
  isOther?: boolean;
}

/**
 * A document that stores the idempotency records of its recent changes, so that the effect and its record are one
 * write.
 */
export interface Versioned extends OwnedDoc {
  /** Revision, incremented by every such write. */
  rev: number;
  applied: IdempotencyRecord[];
}

const MAX_RECORDS = 100;
const MAX_TRIES = 64;

/** A change computed from the current document; `before` runs first and may run more than once. */
export interface DocumentChange<T> {
  set: Partial<T>;
  record?: Omit<IdempotencyRecord, "id">;
  before?: () => Promise<void>;
}

/** The cast is safe: every versioned document has these two fields, which the generic type cannot show. */
const matchRevision = <T extends Versioned>(_id: string, rev: number) => ({ _id, rev }) as unknown as Filter<T>;

interface IdempotentUpdate<T extends Versioned> {
  id: string;
  requestId: string;
  change: (doc: T) => DocumentChange<T>;
}

/**
 * Applies a request to one document exactly once, with optimistic locking on `rev`; throws `not_found` if the document
 * is missing.
 */
export async function changeOnce<T extends Versioned>(
  collection: OwnedCollection<T>,
  { id, requestId, change }: IdempotentUpdate<T>,
): Promise<{ doc: T; record: IdempotencyRecord; isRepeat: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const current = await collection.get(id);
    if (!current) throw new Failure("not_found", "no_item");
    const previous = current.applied.find((record) => record.id === requestId);
    if (previous) return { doc: current, record: previous, isRepeat: true };
    const { set, record: outcome, before } = change(current);
    await before?.();
    const entry: IdempotencyRecord = { id: requestId, ...outcome };
    const patch = {
      set,
      increment: { rev: 1 },
      push: { applied: [entry] },
      keepLast: { applied: MAX_RECORDS },
    } as unknown as Patch<T>;
    const doc = await collection.patch(matchRevision(id, current.rev), patch);
    if (doc) return { doc, record: entry, isRepeat: false };
  }
  throw new Failure("broken", "too_many_changes");
}
