import type { DocumentStore } from "#api/store/port.ts";
import { namedByFiles } from "./file-records.ts";
import type { Blobs } from "./port.ts";

/** Between keeping a blob and naming it in a document lies a moment, never so long as this. */
const GRACE_MS = 60 * 60 * 1000;
const BATCH = 200;

/** Those of some blobs that documents of one kind name, of whatever account. */
export type NamedBlobs = (store: DocumentStore, keys: readonly string[]) => Promise<Iterable<string>>;

interface SweepParts {
  store: DocumentStore;
  blobs: Blobs;
  /** Who names blobs besides the file records. */
  named: readonly NamedBlobs[];
}

/**
 * Removes blobs that no document names and that were last kept more than an hour before `now`; answers how many went.
 * A blob that is kept anew meanwhile stays, even where it had been listed already.
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
