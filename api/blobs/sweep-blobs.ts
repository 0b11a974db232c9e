import type { DocumentStore } from "#api/store/port.ts";
import { findReferencedBlobs } from "./file-records.ts";
import type { Blobs } from "./port.ts";

/** A blob is stored just before a document refers to it; this is far longer than that gap. */
const GRACE_MS = 60 * 60 * 1000;
const BATCH_SIZE = 200;

/** Returns which of the blobs are referenced by one kind of document, across all accounts. */
export type FindReferencedBlobs = (store: DocumentStore, keys: readonly string[]) => Promise<Iterable<string>>;

interface SweepDeps {
  store: DocumentStore;
  blobs: Blobs;
  /** References besides the file records. */
  finders: readonly FindReferencedBlobs[];
}

/**
 * Removes blobs that no document refers to and that were last stored more than an hour before `now`; returns their
 * number. A blob that is stored again meanwhile is not removed.
 */
export async function sweepBlobs({ store, blobs, finders }: SweepDeps, now: number): Promise<number> {
  const beforeMs = now - GRACE_MS;
  let removedCount = 0;
  let batch: string[] = [];
  const sweepBatch = async () => {
    const keys = batch;
    batch = [];
    const referenced = new Set<string>();
    for (const findReferenced of [findReferencedBlobs, ...finders])
      for (const key of await findReferenced(store, keys)) referenced.add(key);
    for (const key of keys)
      if (!referenced.has(key) && (await blobs.removeStoredBefore(key, beforeMs))) removedCount += 1;
  };
  for await (const { key, storedAt } of blobs.list()) {
    if (storedAt >= beforeMs) continue;
    batch.push(key);
    if (batch.length >= BATCH_SIZE) await sweepBatch();
  }
  await sweepBatch();
  return removedCount;
}
