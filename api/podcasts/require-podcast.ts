import { Failure } from "#shared/contract/failure.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { endIfTimedOut } from "./making/end-episode.ts";
import { findPodcast, type PodcastDoc } from "./store.ts";

export const podcastNotFound = () => new Failure("not_found", "no_podcast");

/** Finds the caller's podcast; marks it as failed first if it timed out. */
export async function requirePodcast(ctx: Pick<UserCtx, "own" | "clock" | "jobs">, id: string): Promise<PodcastDoc> {
  const podcast = await findPodcast(ctx.own, id);
  if (!podcast) throw podcastNotFound();
  return endIfTimedOut(ctx, podcast);
}
