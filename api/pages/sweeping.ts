import { sweepBlobs } from "#api/blobs/sweep.ts";
import type { Deps } from "#api/http/handler.ts";
import { repeat } from "#api/jobs/repeating.ts";
import { pieceKeys, removeStaleUploads, UPLOAD_KEPT_MS } from "./resumable-store.ts";
import { namedByThumbnails } from "./thumbnails.ts";

const EVERY_MS = 30 * 60 * 1000;

type SweepDeps = Pick<Deps, "store" | "blobs" | "clock">;

/** Removes abandoned uploads, then blobs that no document refers to; returns how many of each. */
export async function sweepUploads({ store, blobs, clock }: SweepDeps): Promise<{ uploads: number; blobs: number }> {
  const now = clock.now();
  const uploads = await removeStaleUploads(store, now - UPLOAD_KEPT_MS);
  return { uploads, blobs: await sweepBlobs({ store, blobs, named: [pieceKeys, namedByThumbnails] }, now) };
}

/** Sweeps at intervals; returns a function that stops it. */
export const keepSweeping = (deps: Deps): (() => void) =>
  repeat({
    everyMs: EVERY_MS,
    log: deps.log,
    failed: "could not sweep uploads",
    async work() {
      const gone = await sweepUploads(deps);
      if (gone.uploads + gone.blobs > 0) deps.log.info(gone, "swept unused uploads and blobs");
    },
  });
