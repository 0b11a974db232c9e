import { Failure } from "#shared/contract/failure.ts";
import type { OwnedCollection } from "./owned.ts";
import type { Filter, OwnedDoc, Patch } from "./port.ts";

/** Remembers that a request was applied, and with what outcome, so that a repeat gets the same answer. */
export interface Mark {
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
export interface Remembering extends OwnedDoc {
  /** Revision, incremented by every such write. */
  rev: number;
  applied: Mark[];
}

const KEPT_MARKS = 100;
const MAX_TRIES = 64;

/** A change computed from the current document; `before` runs first and may run more than once. */
export interface Change<T> {
  set: Partial<T>;
  mark?: Omit<Mark, "id">;
  before?: () => Promise<void>;
}

/** The cast is safe: every versioned document has these two fields, which the generic type cannot show. */
const asHeld = <T extends Remembering>(_id: string, rev: number) => ({ _id, rev }) as unknown as Filter<T>;

interface Once<T extends Remembering> {
  id: string;
  requestId: string;
  change: (doc: T) => Change<T>;
}

/**
 * Applies a request to one document exactly once, with optimistic locking on `rev`; throws `not_found` if the document
 * is missing.
 */
export async function changeOnce<T extends Remembering>(
  collection: OwnedCollection<T>,
  { id, requestId, change }: Once<T>,
): Promise<{ doc: T; mark: Mark; isRepeat: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const held = await collection.get(id);
    if (!held) throw new Failure("not_found", "no_thing");
    const seen = held.applied.find((mark) => mark.id === requestId);
    if (seen) return { doc: held, mark: seen, isRepeat: true };
    const { set, mark: remembered, before } = change(held);
    await before?.();
    const entry: Mark = { id: requestId, ...remembered };
    const patch = {
      set,
      increment: { rev: 1 },
      push: { applied: [entry] },
      keepLast: { applied: KEPT_MARKS },
    } as unknown as Patch<T>;
    const doc = await collection.patch(asHeld(id, held.rev), patch);
    if (doc) return { doc, mark: entry, isRepeat: false };
  }
  throw new Failure("broken", "too_many_changes");
}
