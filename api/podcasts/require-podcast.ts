import { Failure } from "#shared/contract/failure.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { endIfTimedOut } from "./making/end-episode.ts";
import { enqueueEpisode } from "./making/episode-job.ts";
import { findPodcast, type PodcastDoc } from "./store.ts";

export const podcastNotFound = () => new Failure("not_found", "no_podcast");

/**
 * Finds the caller's podcast; marks it as failed first if it timed out. A process may have ended between storing an
 * episode and enqueuing its job, so the job of a pending episode is enqueued again, which changes nothing if the job
 * exists.
 */
export async function requirePodcast(ctx: Pick<UserCtx, "own" | "clock" | "jobs">, id: string): Promise<PodcastDoc> {
  const podcast = await findPodcast(ctx.own, id);
  if (!podcast) throw podcastNotFound();
  if (podcast.status === "pending") await enqueueEpisode(ctx, podcast);
  return endIfTimedOut(ctx, podcast);
}
