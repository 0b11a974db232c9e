import { sweepBlobs } from "#api/kit/blobs/sweep.ts";
import type { Deps } from "#api/kit/handler.ts";
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
export function keepSweeping(deps: Deps): () => void {
  let isSweeping = false;
  const sweep = async () => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      const gone = await sweepUploads(deps);
      if (gone.uploads + gone.blobs > 0) deps.log.info(gone, "swept what nobody needs");
    } catch (error) {
      deps.log.error({ err: error }, "could not sweep");
    } finally {
      isSweeping = false;
    }
  };
  const timer = setInterval(() => void sweep(), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
