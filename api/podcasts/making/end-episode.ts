import { Failure } from "#shared/contract/failure.ts";
import { isInProgress, isTimedOut } from "#shared/podcasts/rules.ts";
import { removeFile } from "#api/blobs/file-records.ts";
import type { Deps } from "#api/http/handler.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import type { Own } from "#api/store/owned-store.ts";
import { refundUsage } from "#api/user/service.ts";
import {
  findPodcast,
  patchInProgress,
  type PodcastDoc,
  removeParts,
  removePodcastDoc,
  removeScript,
  removeSegments,
} from "../store.ts";

type EndDeps = Pick<Deps, "clock"> & { own: Own };

export const audioFileIdOf = (podcastId: string) => `podcast-${podcastId}.mp3`;
export const coverFileIdOf = (podcastId: string) => `podcast-${podcastId}.png`;

export const podcastJobId = ({ _id, attempt }: Pick<PodcastDoc, "_id" | "attempt">) => `podcast:${_id}:${attempt}`;

/** Ends an attempt as failed and refunds its usage, once; undefined if the attempt had already ended. */
export async function failPodcast(
  { own, clock }: EndDeps,
  podcast: Pick<PodcastDoc, "_id" | "attempt">,
  failure: Failure,
): Promise<PodcastDoc | undefined> {
  const before = await findPodcast(own, podcast._id);
  const failed = await patchInProgress(own, podcast, {
    status: "failed",
    error: { message: failure.message, ...failure.ref() },
    progress: null,
    duration_ms: 0,
    counted: null,
    updated_at: clock.now(),
  });
  if (!failed) return undefined;
  if (before?.counted) await refundUsage(own, before.counted);
  await publishChanges(own, [{ kind: "podcasts", ids: [podcast._id] }]);
  return failed;
}

/** Ends an episode as failed and cancels its job, in whichever process it runs. */
export async function stopPodcast(
  deps: EndDeps & Pick<Deps, "jobs">,
  podcast: PodcastDoc,
  failure: Failure,
): Promise<PodcastDoc | undefined> {
  const failed = await failPodcast(deps, podcast, failure);
  await deps.jobs.cancel(deps.own.ownerId, podcastJobId(podcast));
  return failed;
}

/** Ends an episode as failed if it took too long; returns its current state. */
export async function endIfTimedOut(deps: EndDeps & Pick<Deps, "jobs">, podcast: PodcastDoc): Promise<PodcastDoc> {
  if (!isTimedOut(podcast, deps.clock.now())) return podcast;
  return (await stopPodcast(deps, podcast, new Failure("timed_out", "podcast_timed_out"))) ?? podcast;
}

/** Removes what belongs to an episode that no longer exists. */
export async function removeLeftovers(own: Own, podcastId: string): Promise<void> {
  for (const fileId of [audioFileIdOf(podcastId), coverFileIdOf(podcastId)]) await removeFile(own, fileId);
  await Promise.all([removeScript(own, podcastId), removeParts(own, podcastId), removeSegments(own, podcastId)]);
}

/** Removes an episode with everything that belongs to it; one that is being made is stopped first, which refunds it. */
export async function erasePodcast(deps: EndDeps & Pick<Deps, "jobs">, podcast: PodcastDoc): Promise<void> {
  const { own, jobs } = deps;
  if (isInProgress(podcast)) await failPodcast(deps, podcast, new Failure("cancelled", "podcast_stopped"));
  await removePodcastDoc(own, podcast._id);
  await jobs.cancel(own.ownerId, podcastJobId(podcast));
  await removeLeftovers(own, podcast._id);
}
