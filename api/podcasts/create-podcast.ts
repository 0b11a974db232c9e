import { ulid } from "ulid";
import { limitsOf } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Parsed } from "#shared/contract/endpoint.ts";
import type { podcasts } from "#shared/podcasts/contract.ts";
import { validatePodcastRequest } from "#shared/podcasts/validate-request.ts";
import { hostFor } from "#shared/podcasts/voices.ts";
import { requireFreeDisk } from "#api/blobs/storage-quota.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { type Counted, countUsage, refundUsage } from "#api/user/service.ts";
import { engineOf } from "./audio/speak.ts";
import { enqueueEpisode } from "./making/episode-job.ts";
import { podcastNotFound } from "./require-podcast.ts";
import { nameSources } from "./sources.ts";
import { type EpisodeAttempt, findPodcast, insertPodcast, type PodcastDoc, restartFailed } from "./store.ts";

type CreateInput = Parsed<(typeof podcasts)["createPodcast"]>;

/** Counts an episode against today's quota before it is made. */
async function countCreation(ctx: UserCtx): Promise<Counted> {
  const limit = limitsOf(ctx.caller.plan, ctx.clock.now()).podcastCreations;
  const counting = await countUsage(ctx, "podcastCreations", 1, limit);
  if (counting.outcome === "counted") return counting.counted;
  throw new Failure("limit_reached", "podcast_daily_limit", { limit }, { limit: "podcastCreations" });
}

async function start(ctx: UserCtx, podcast: EpisodeAttempt): Promise<void> {
  await enqueueEpisode(ctx, podcast);
  await publishChanges(ctx.own, [{ kind: "podcasts", ids: [podcast._id] }]);
}

const titleOfSources = (titles: readonly string[]) =>
  titles
    .map((title) => title.replace(/\.(?:pdf|docx?|pptx?|mp4|webm|mov|txt|md)$/iu, ""))
    .join(", ")
    .slice(0, 300);

export async function createPodcast(ctx: UserCtx, input: CreateInput): Promise<PodcastDoc> {
  const { own, clock, blobs, settings } = ctx;
  const problem = validatePodcastRequest(input.sources, input.guest);
  if (problem) throw new Failure("bad_input", problem);
  const existing = input.id === undefined ? undefined : await findPodcast(own, input.id);
  if (existing) return existing;
  const sources = await nameSources(own, input.sources);
  await requireFreeDisk(blobs, settings);
  const chargedUsage = await countCreation(ctx);
  const now = clock.now();
  const { name = "", voice = "" } = input.guest ?? {};
  const host = hostFor(voice);
  const podcast: Omit<PodcastDoc, "ownerId"> = {
    _id: input.id ?? ulid(now),
    title: input.title.trim() || titleOfSources(sources.map((source) => source.title)),
    status: "pending",
    sources,
    guest: { name: name.trim(), voice },
    host: { name: host.name, voice: host.id },
    created_at: now,
    updated_at: now,
    completed_at: null,
    generation_started_at: null,
    last_processing_attempt: null,
    is_archived: false,
    archived_at: null,
    length_minutes: input.length_minutes,
    has_breaks: input.has_breaks,
    engine: engineOf(settings),
    writer: null,
    may_fall_back: input.may_fall_back,
    duration_ms: 0,
    position_ms: 0,
    progress: null,
    error: null,
    notices: [],
    attempt: 1,
    chargedUsage,
    audioFileId: null,
    coverFileId: null,
  };
  if ((await insertPodcast(own, podcast)) === "duplicate") {
    await refundUsage(own, chargedUsage);
    const concurrent = await findPodcast(own, podcast._id);
    if (!concurrent) throw new Failure("already_exists", "id_taken");
    return concurrent;
  }
  await start(ctx, podcast);
  return { ...podcast, ownerId: own.ownerId };
}

/** Restarts a failed episode; any other episode is returned unchanged. */
export async function retryPodcast(ctx: UserCtx, podcast: PodcastDoc): Promise<PodcastDoc> {
  if (podcast.status !== "failed") return podcast;
  const { own, clock, blobs, settings } = ctx;
  await requireFreeDisk(blobs, settings);
  const chargedUsage = await countCreation(ctx);
  const restarted = await restartFailed(own, podcast, {
    status: "pending",
    error: null,
    progress: null,
    generation_started_at: null,
    updated_at: clock.now(),
    duration_ms: 0,
    // The next attempt finds out again who speaks and how long it gets; the script may be the same.
    notices: podcast.notices.filter((notice) => notice === "written_without_model"),
    engine: engineOf(settings),
    chargedUsage,
  });
  if (!restarted) {
    // Another request restarted the episode first.
    await refundUsage(own, chargedUsage);
    const current = await findPodcast(own, podcast._id);
    if (!current) throw podcastNotFound();
    return current;
  }
  await start(ctx, restarted);
  return restarted;
}
