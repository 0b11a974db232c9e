import { Failure } from "#shared/contract/failure.ts";
import { GENERATION_LIMIT_MS, isInProgress } from "#shared/podcasts/rules.ts";
import type { Podcast, PodcastProgress } from "#shared/podcasts/schema.ts";
import { writeOpening } from "#shared/podcasts/script/host/host-lines.ts";
import { isShorterThan } from "#shared/podcasts/script/write-script.ts";
import { removeFile } from "#api/blobs/file-records.ts";
import type { Deps } from "#api/http/handler.ts";
import type { JobRun } from "#api/jobs/jobs-port.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { toKnownFailure } from "#api/store/store-failures.ts";
import {
  findPodcast,
  findScript,
  patchInProgress,
  type EpisodeAttempt,
  type PodcastDoc,
  patchPodcast,
  removePartsUpTo,
  removeSound,
  saveLines,
  saveScript,
  type ScriptDoc,
} from "../store.ts";
import { awaitBoth } from "./await-both.ts";
import { failPodcast, podcastJobId, removeLeftovers } from "./end-episode.ts";
import { SegmentSpeaker } from "./segments.ts";
import { refreshTitle, storeCover, storeEpisode } from "./sound-file.ts";
import { EpisodeSound, type SpeakingReport } from "./speak-episode.ts";
import { hostOptionsOf, writeEpisode } from "./write-episode.ts";

const MINUTE_MS = 60_000;
const PODCAST_JOB = "podcast";
/** Episodes made at the same time. Each uses one thread for its voices and one for mixing. */
const SLOTS = 2;
/** Open browsers are notified once per this many parts. */
const PARTS_PER_NOTICE = 4;

interface PodcastJobInput {
  podcastId: string;
  attempt: number;
}

class EpisodeRun {
  readonly #deps: Deps & { own: Own };
  readonly #run: JobRun;
  readonly #signal: AbortSignal;
  #podcast: PodcastDoc;
  #parts = 0;

  constructor(deps: Deps & { own: Own }, run: JobRun, podcast: PodcastDoc) {
    this.#deps = deps;
    this.#run = run;
    this.#podcast = podcast;
    const usedMs = deps.clock.now() - (podcast.generation_started_at ?? deps.clock.now());
    this.#signal = AbortSignal.any([run.signal, AbortSignal.timeout(Math.max(0, GENERATION_LIMIT_MS - usedMs))]);
  }

  async work(): Promise<void> {
    try {
      await this.#make();
    } catch (error) {
      this.#run.signal.throwIfAborted();
      await failPodcast(this.#deps, this.#podcast, this.#toFailure(error));
      throw error;
    }
  }

  #toFailure(error: unknown): Failure {
    if (this.#signal.aborted) return new Failure("timed_out", "podcast_timed_out");
    const known = toKnownFailure(error);
    if (!known) this.#deps.log.error({ err: error, jobId: this.#run.job._id }, "a podcast broke");
    return known ?? new Failure("broken", "server_broken");
  }

  async #make(): Promise<void> {
    const speaker = new SegmentSpeaker(this.#deps, this.#podcast, this.#signal);
    const sound = new EpisodeSound({
      deps: this.#deps,
      podcast: this.#podcast,
      speaker,
      signal: this.#signal,
      onPart: (report) => this.#report(report),
    });
    try {
      await this.#speak(sound, speaker);
    } finally {
      await sound.close();
    }
  }

  async #speak(sound: EpisodeSound, speaker: SegmentSpeaker): Promise<void> {
    const { own, clock } = this.#deps;
    const stored = await findScript(own, this.#podcast._id);
    const script = stored && !stored.isOpening ? stored : await this.#write(sound, speaker);
    await this.#patchAndNotify({
      status: "generating_audio",
      progress: { stage: "speaking", done: 0, total: script.lines.length },
    });
    const spoken = await sound.speak(script);
    this.#deps.log.info(
      { jobId: this.#run.job._id, loudness: spoken.loudness, ms: spoken.durationMs },
      "spoke a podcast",
    );
    await this.#patchAndNotify({
      progress: { stage: "finishing", done: 0, total: 1 },
      notices: this.#noticesFor(spoken.durationMs),
    });
    await saveLines(own, this.#podcast._id, { lines: spoken.lines, unusedSentences: [] });
    const podcastInTag = this.#podcast;
    const audioFileId = await storeEpisode(this.#deps, podcastInTag, { ...script, lines: spoken.lines });
    await this.#finish(audioFileId, clock.now());
    // Renaming an episode before its files are recorded changes none.
    await refreshTitle(this.#deps, podcastInTag);
  }

  async #finish(audioFileId: string, now: number): Promise<void> {
    const { own } = this.#deps;
    try {
      await this.#patch({ status: "completed", completed_at: now, progress: null, audioFileId, chargedUsage: null });
    } catch (error) {
      // The episode was stopped or deleted meanwhile. After another failure, it may have been completed.
      if (error instanceof Failure && error.code === "cancelled") await removeFile(own, audioFileId);
      throw error;
    }
    await this.#notify();
  }

  /** The cover belongs to the episode and not to this attempt, which may have been stopped while it was stored. */
  async #storeCover(): Promise<void> {
    const podcastOnCover = this.#podcast;
    const coverFileId = await storeCover(this.#deps, podcastOnCover);
    await patchPodcast(this.#deps.own, podcastOnCover._id, { coverFileId });
    await this.#patchAndNotify({});
    await refreshTitle(this.#deps, podcastOnCover);
  }

  async #write(sound: EpisodeSound, speaker: SegmentSpeaker): Promise<Omit<ScriptDoc, "ownerId">> {
    const { own } = this.#deps;
    await this.#patchAndNotify({ status: "generating_transcript", progress: { stage: "reading", done: 0, total: 1 } });
    if (this.#podcast.coverFileId === null) await this.#storeCover();
    // Both calls use the same title, even if the student changes it meanwhile.
    const podcast = this.#podcast;
    const deps = {
      ...this.#deps,
      onProgress: (progress: PodcastProgress) => this.#patchAndNotify({ progress }),
      checkpoint: this.#run.job.checkpoint,
      onCheckpoint: (checkpoint: unknown) => this.#run.emit([], checkpoint),
    };
    const [written, opening] = await awaitBoth(
      writeEpisode(deps, podcast, speaker),
      sound.speakOpening(writeOpening(podcast.sources, hostOptionsOf(podcast))),
      (cause) => speaker.stop(cause),
    );
    const { unusedSentences, chapters, isShort, writer, hasModelWrittenNothing } = written;
    const lines = [...opening, ...written.lines.slice(opening.length)];
    this.#signal.throwIfAborted();
    const script = { _id: this.#podcast._id, lines, unusedSentences, chapters, isOpening: false };
    await saveScript(own, script);
    const notices: Podcast["notices"] = [
      ...(isShort ? ["shorter_than_requested" as const] : []),
      ...(hasModelWrittenNothing ? ["written_without_model" as const] : []),
    ];
    await this.#patchAndNotify({ writer, notices });
    return script;
  }

  /** The length of the script was an estimate, so the length of the audio decides. */
  #noticesFor(durationMs: number): Podcast["notices"] {
    const others = this.#podcast.notices.filter((notice) => notice !== "shorter_than_requested");
    const isShort = isShorterThan(this.#podcast.length_minutes * MINUTE_MS, durationMs);
    return isShort ? [...others, "shorter_than_requested"] : others;
  }

  async #report({ durationMs, progress, isFallback }: SpeakingReport): Promise<void> {
    const notices: Podcast["notices"] =
      isFallback && !this.#podcast.notices.includes("spoken_by_built_in")
        ? [...this.#podcast.notices, "spoken_by_built_in"]
        : this.#podcast.notices;
    await this.#patch({ duration_ms: durationMs, notices, ...(progress ? { progress } : {}) });
    if (progress) await this.#run.emit([{ type: "progress", ...progress }]);
    this.#parts += 1;
    if (this.#parts % PARTS_PER_NOTICE === 1) await this.#notify();
  }

  /** Throws if this attempt was ended: stopped, timed out, started again or deleted. */
  async #patch(set: Partial<PodcastDoc>): Promise<void> {
    const { own, clock } = this.#deps;
    const updated = await patchInProgress(own, this.#podcast, { ...set, updated_at: clock.now() });
    if (!updated) throw new Failure("cancelled", "podcast_stopped");
    this.#podcast = updated;
  }

  async #patchAndNotify(set: Partial<PodcastDoc>): Promise<void> {
    await this.#patch(set);
    await this.#notify();
  }

  #notify(): Promise<void> {
    return publishChanges(this.#deps.own, [{ kind: "podcasts", ids: [this.#podcast._id] }]);
  }
}

/**
 * Removes what a run has stored for an episode that was completed or deleted. A process that ended before it did is
 * followed by another run.
 */
async function cleanUp(own: Own, before: PodcastDoc): Promise<void> {
  const podcast = await findPodcast(own, before._id);
  if (!podcast) await removeLeftovers(own, before);
  else if (podcast.status === "completed") await removeSound(own, podcast._id);
}

async function makeEpisode(deps: Deps, run: JobRun): Promise<void> {
  const { podcastId, attempt } = run.job.input as PodcastJobInput;
  const own = ownedBy(deps.store, run.job.ownerId);
  const podcast = await findPodcast(own, podcastId);
  if (!podcast || podcast.attempt !== attempt) return;
  if (podcast.status === "completed") return cleanUp(own, podcast);
  if (!isInProgress(podcast)) return;
  const now = deps.clock.now();
  const started = await patchInProgress(own, podcast, {
    generation_started_at: podcast.generation_started_at ?? now,
    last_processing_attempt: now,
    // What an earlier run encoded is encoded again.
    duration_ms: 0,
  });
  if (!started) return;
  await removePartsUpTo(own, podcast);
  try {
    await new EpisodeRun({ ...deps, own }, run, started).work();
  } finally {
    await cleanUp(own, podcast);
  }
}

/** Enqueues the job that makes an episode; idempotent within one attempt. */
export async function enqueueEpisode(
  { jobs, own }: Pick<Deps, "jobs"> & { own: Own },
  podcast: EpisodeAttempt,
): Promise<void> {
  const input: PodcastJobInput = { podcastId: podcast._id, attempt: podcast.attempt };
  await jobs.enqueue({ _id: podcastJobId(podcast), ownerId: own.ownerId, kind: PODCAST_JOB, input });
}

/** Lets this process make episodes. */
export const registerEpisodes = (deps: Deps): void =>
  deps.jobs.register(PODCAST_JOB, (run) => makeEpisode(deps, run), SLOTS);
