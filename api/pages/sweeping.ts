import { sweepBlobs } from "#api/blobs/sweep.ts";
import type { Deps } from "#api/http/handler.ts";
import { repeat } from "#api/jobs/repeating.ts";
import { pieceKeys, removeStaleUploads, UPLOAD_KEPT_MS } from "./resumable-store.ts";
import { namedByThumbnails } from "./thumbnails.ts";

const EVERY_MS = 30 * 60 * 1000;

type SweepDeps = Pick<Deps, "store" | "blobs" | "clock">;

/** Forgets uploads that nobody came back to, then the files that no document names; answers how many of each. */
export async function sweepUploads({ store, blobs, clock }: SweepDeps): Promise<{ uploads: number; blobs: number }> {
  const now = clock.now();
  const uploads = await removeStaleUploads(store, now - UPLOAD_KEPT_MS);
  return { uploads, blobs: await sweepBlobs({ store, blobs, named: [pieceKeys, namedByThumbnails] }, now) };
}

/** Sweeps now and then until it is stopped; answers how to stop. */
export const keepSweeping = (deps: Deps): (() => void) =>
  repeat({
    everyMs: EVERY_MS,
    log: deps.log,
    failed: "could not sweep",
    async work() {
      const gone = await sweepUploads(deps);
      if (gone.uploads + gone.blobs > 0) deps.log.info(gone, "swept what nobody needs");
    },
  });
