import { Failure } from "#shared/contract/failure.ts";
import type { OwnedCollection } from "./store/owned.ts";
import type { Filter, OwnedDoc, Patch } from "./store/port.ts";

/** What is remembered of a request with its effect, to answer its repeat with. */
export interface Mark {
  id: string;
  version?: number;
  conflict?: boolean;
  /** What the document held afterwards was not what the request brought. */
  isOther?: boolean;
}

/** A document that carries the requests that changed it, so that effect and memory are one write. */
export interface Remembering extends OwnedDoc {
  /** Counts up with every such write. */
  rev: number;
  applied: Mark[];
}

const KEPT_MARKS = 100;
const MAX_TRIES = 64;

/** A change made from the document as it was read; `before` runs ahead of it and may run more than once. */
export interface Change<T> {
  set: Partial<T>;
  mark?: Omit<Mark, "id">;
  before?: () => Promise<void>;
}

/** The generic document has these two fields whatever else it has. */
const asHeld = <T extends Remembering>(_id: string, rev: number) => ({ _id, rev }) as unknown as Filter<T>;

interface Once<T extends Remembering> {
  id: string;
  requestId: string;
  change: (doc: T) => Change<T>;
}

/** Applies a request to one document exactly once, whoever else writes meanwhile; `not_found` where there is none. */
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
    const mark: Mark = { id: requestId, ...remembered };
    const patch = {
      set,
      increment: { rev: 1 },
      push: { applied: [mark] },
      keepLast: { applied: KEPT_MARKS },
    } as unknown as Patch<T>;
    const doc = await collection.patch(asHeld(id, held.rev), patch);
    if (doc) return { doc, mark, isRepeat: false };
  }
  throw new Failure("broken", "too_many_changes");
}
