import type { OwnedCollection } from "./owned-store.ts";
import { Pacer } from "./pacer.ts";
import type { Filter, OwnedDoc } from "./port.ts";

/** A slice that is read faster is followed by a larger one. */
const FAST_MS = 5;
const MAX_SLICE = 200;

interface SliceOptions<T extends OwnedDoc> {
  filter?: Filter<T>;
  fields?: readonly (keyof T & string)[];
  /** Documents in the first read; later reads grow while they are fast. */
  first?: number;
}

/**
 * Reads documents in the order of `ids`, skipping missing ones. Reads few at a time and lets other requests run in
 * between, also while the caller works on them: a document may have megabytes, and a page thousands of documents.
 */
export async function* readInSlices<T extends OwnedDoc>(
  collection: OwnedCollection<T>,
  ids: readonly string[],
  { filter, fields, first = 25 }: SliceOptions<T> = {},
): AsyncGenerator<T> {
  const pacer = new Pacer();
  let size = first;
  for (let start = 0; start < ids.length;) {
    const slice = ids.slice(start, start + size);
    const startedAt = performance.now();
    const condition = { ...filter, _id: { in: slice } } as Filter<T>;
    const found = await collection.find(condition, fields ? { fields } : {});
    const isFast = performance.now() - startedAt < FAST_MS;
    const byId = new Map(found.map((doc) => [doc._id, doc]));
    for (const id of slice) {
      const doc = byId.get(id);
      if (doc) yield doc;
      if (pacer.isOver()) await pacer.nextTurn();
    }
    start += slice.length;
    size = isFast ? Math.min(MAX_SLICE, size * 2) : Math.max(1, Math.floor(size / 2));
  }
}
