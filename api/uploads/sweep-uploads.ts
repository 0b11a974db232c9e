import { type FindReferencedBlobs, sweepBlobs } from "#api/blobs/sweep-blobs.ts";
import type { Deps } from "#api/http/handler.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { listChunkKeys, removeStaleUploads, UPLOAD_RETENTION_MS } from "./resumable-store.ts";
import { findReferencedThumbnailBlobs } from "./thumbnails.ts";

const INTERVAL_MS = 30 * 60 * 1000;

type SweepDeps = Pick<Deps, "store" | "blobs" | "clock">;

/**
 * Removes abandoned uploads, then blobs that no document refers to; returns how many of each. `finders` list the blobs
 * of features that use this one.
 */
export async function sweepUploads(
  { store, blobs, clock }: SweepDeps,
  finders: readonly FindReferencedBlobs[] = [],
): Promise<{ uploads: number; blobs: number }> {
  const now = clock.now();
  const uploads = await removeStaleUploads(store, now - UPLOAD_RETENTION_MS);
  return {
    uploads,
    blobs: await sweepBlobs({ store, blobs, finders: [listChunkKeys, findReferencedThumbnailBlobs, ...finders] }, now),
  };
}

/** Sweeps at intervals; returns a function that stops it. */
export const startUploadSweep = (deps: Deps, finders: readonly FindReferencedBlobs[]): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not sweep uploads",
    async work() {
      const swept = await sweepUploads(deps, finders);
      if (swept.uploads + swept.blobs > 0) deps.log.info(swept, "swept unused uploads and blobs");
    },
  });
