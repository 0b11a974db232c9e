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
  type EpisodeAttempt,
  type PodcastDoc,
  removePodcastDoc,
  removeScript,
  removeSound,
} from "../store.ts";

type EndDeps = Pick<Deps, "clock"> & { own: Own };

/** Each attempt has a file of its own, so that one that was stopped cannot remove the result of the next. */
export const audioFileIdOf = ({ _id, attempt }: EpisodeAttempt) => `podcast-${_id}-${attempt}.mp3`;
export const coverFileIdOf = (podcastId: string) => `podcast-${podcastId}.png`;

export const podcastJobId = ({ _id, attempt }: EpisodeAttempt) => `podcast:${_id}:${attempt}`;

/** Ends an attempt as failed and refunds its usage, once; undefined if the attempt had already ended. */
export async function failPodcast(
  { own, clock }: EndDeps,
  podcast: EpisodeAttempt,
  failure: Failure,
): Promise<PodcastDoc | undefined> {
  const before = await findPodcast(own, podcast._id);
  const failed = await patchInProgress(own, podcast, {
    status: "failed",
    error: { message: failure.message, ...failure.ref() },
    progress: null,
    duration_ms: 0,
    chargedUsage: null,
    updated_at: clock.now(),
  });
  if (!failed) return undefined;
  if (before?.chargedUsage) await refundUsage(own, before.chargedUsage);
  await publishChanges(own, [{ kind: "podcasts", ids: [podcast._id] }]);
  // The process may have ended after it had stored the file.
  await removeFile(own, audioFileIdOf(podcast));
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
export async function removeLeftovers(
  own: Own,
  { _id, attempt, audioFileId }: EpisodeAttempt & Pick<PodcastDoc, "audioFileId">,
): Promise<void> {
  const ofAttempts = Array.from({ length: attempt }, (_, index) => audioFileIdOf({ _id, attempt: index + 1 }));
  const files = new Set([...ofAttempts, coverFileIdOf(_id), ...(audioFileId === null ? [] : [audioFileId])]);
  for (const fileId of files) await removeFile(own, fileId);
  await Promise.all([removeScript(own, _id), removeSound(own, _id)]);
}

/** Removes an episode with everything that belongs to it; one that is being made is stopped first, which refunds it. */
export async function erasePodcast(deps: EndDeps & Pick<Deps, "jobs">, podcast: PodcastDoc): Promise<void> {
  const { own, jobs } = deps;
  if (isInProgress(podcast)) await failPodcast(deps, podcast, new Failure("cancelled", "podcast_stopped"));
  await removePodcastDoc(own, podcast._id);
  await jobs.cancel(own.ownerId, podcastJobId(podcast));
  await removeLeftovers(own, podcast);
}
