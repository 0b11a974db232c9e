import { retentionMs } from "#shared/retention.ts";
import { removeFile } from "#api/blobs/file-records.ts";
import type { Deps } from "#api/http/handler.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { runAllSteps, runForAll } from "#api/jobs/run-all.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { audioFileIdOf, erasePodcast } from "./making/end-episode.ts";
import { registerEpisodes } from "./making/episode-job.ts";
import { listArchivedBefore, listFailedBefore, recordLinesRemoved, removeSoundUpTo } from "./store.ts";

/** Archived episodes can be restored for as long as anything else that was deleted. */
const RETENTION_MS = retentionMs("deletedItems");
/** For this long after a failure, a retry finds the lines that were spoken. */
const LINE_RETENTION_MS = retentionMs("spokenLines");
const INTERVAL_MS = 6 * 60 * 60 * 1000;

export const registerPodcasts = registerEpisodes;

/** Erases archived episodes whose retention is over. */
async function eraseArchivedPodcasts(deps: Pick<Deps, "store" | "clock" | "jobs">): Promise<void> {
  const due = await listArchivedBefore(deps.store, deps.clock.now() - RETENTION_MS);
  await runForAll(due, (podcast) => erasePodcast({ ...deps, own: ownedBy(deps.store, podcast.ownerId) }, podcast));
}

/** Removes the spoken lines of episodes that failed long ago. */
export async function removeFailedLines({ store, clock }: Pick<Deps, "store" | "clock">): Promise<void> {
  const now = clock.now();
  await runForAll(await listFailedBefore(store, now - LINE_RETENTION_MS), async (podcast) => {
    const own = ownedBy(store, podcast.ownerId);
    // The student may start it again at any moment.
    await removeSoundUpTo(own, podcast);
    // A process that ended in the middle of a stop may have left it.
    await removeFile(own, audioFileIdOf(podcast));
    await recordLinesRemoved(own, podcast, now);
  });
}

/** Erases archived episodes and the lines of failed ones. What fails does not stop the others, and is thrown at the end. */
export const erasePodcasts = (deps: Pick<Deps, "store" | "clock" | "jobs">): Promise<void> =>
  runAllSteps([() => eraseArchivedPodcasts(deps), () => removeFailedLines(deps)]);

/** Erases at intervals; returns a function that stops it. */
export const startPodcastErasing = (deps: Deps): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not erase archived podcasts",
    work: () => erasePodcasts(deps),
  });
