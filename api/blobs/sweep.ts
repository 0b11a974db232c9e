import type { DocumentStore } from "#api/store/port.ts";
import { namedByFiles } from "./file-records.ts";
import type { Blobs } from "./port.ts";

/** A blob is stored just before a document refers to it; this is far longer than that gap. */
const GRACE_MS = 60 * 60 * 1000;
const BATCH = 200;

/** Returns which of the blobs are referenced by one kind of document, across all accounts. */
export type NamedBlobs = (store: DocumentStore, keys: readonly string[]) => Promise<Iterable<string>>;

interface SweepParts {
  store: DocumentStore;
  blobs: Blobs;
  /** References besides the file records. */
  named: readonly NamedBlobs[];
}

/**
 * Removes blobs that no document refers to and that were last stored more than an hour before `now`; returns their
 * number. A blob that is stored again meanwhile is not removed.
 */
export async function sweepBlobs({ store, blobs, named }: SweepParts, now: number): Promise<number> {
  const beforeMs = now - GRACE_MS;
  let gone = 0;
  let batch: string[] = [];
  const sweepBatch = async () => {
    const keys = batch;
    batch = [];
    const kept = new Set<string>();
    for (const namesOf of [namedByFiles, ...named]) for (const key of await namesOf(store, keys)) kept.add(key);
    for (const key of keys) if (!kept.has(key) && (await blobs.removeKeptBefore(key, beforeMs))) gone += 1;
  };
  for await (const { key, keptAt } of blobs.list()) {
    if (keptAt >= beforeMs) continue;
    batch.push(key);
    if (batch.length >= BATCH) await sweepBatch();
  }
  await sweepBatch();
  return gone;
}
