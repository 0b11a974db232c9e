import { retentionMs } from "#shared/retention.ts";
import type { Deps } from "#api/http/handler.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { erasePodcast } from "./making/end-episode.ts";
import { registerEpisodes } from "./making/episode-job.ts";
import { listArchivedBefore } from "./store.ts";

/** Archived episodes can be restored for as long as anything else that was deleted. */
const RETENTION_MS = retentionMs("deletedItems");
const INTERVAL_MS = 6 * 60 * 60 * 1000;

export const registerPodcasts = registerEpisodes;

/** Erases archived episodes whose retention is over; returns how many. */
export async function eraseArchivedPodcasts(deps: Pick<Deps, "store" | "clock" | "jobs">): Promise<number> {
  const due = await listArchivedBefore(deps.store, deps.clock.now() - RETENTION_MS);
  for (const podcast of due) await erasePodcast({ ...deps, own: ownedBy(deps.store, podcast.ownerId) }, podcast);
  return due.length;
}

/** Erases at intervals; returns a function that stops it. */
export const startPodcastErasing = (deps: Deps): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not erase archived podcasts",
    work: () => eraseArchivedPodcasts(deps),
  });
