import { retentionMs } from "#shared/retention.ts";
import { ulid } from "ulid";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import { videoIdOf } from "#shared/video/addresses.ts";
import { parseDescriptionChapters } from "#shared/video/chapters.ts";
import { isTransient, transcriptReason } from "#shared/video/no-transcript-messages.ts";
import { chooseTranscript } from "#shared/video/rules.ts";
import type {
  NoTranscriptReason,
  TranscriptSegment,
  TranscriptSource,
  TranscriptSummary,
} from "#shared/video/schema.ts";
import { listTranscripts, saveTranscript, type NewTranscript, type TranscriptDoc } from "./store.ts";
import { NoYoutubeTranscriptError, toOfferedTracks, readYoutube, type YoutubeTranscriptRead } from "./youtube.ts";
import type { PlayerFacts } from "./youtube-player.ts";

/** How long YouTube transcripts are stored. */
const TRANSCRIPT_RETENTION_MS = retentionMs("youtubeTranscripts");
/** How long a refusal is cached: shorter if it may be temporary. */
const REFUSAL_TTL_MS = 6 * 3_600_000;
const TEMPORARY_REFUSAL_TTL_MS = 5 * 60_000;
/** Repeated refreshes within this time return the same result. */
const MIN_REFRESH_INTERVAL_MS = 60_000;

export type VideoComponent = Extract<Component, { type: "video" }>;

/** Dependencies for reading a transcript. */
export type TranscriptDeps = Pick<Deps, "clock" | "settings"> & { own: Own };

export interface TranscriptQuery {
  language?: string | undefined;
  source?: TranscriptSource | undefined;
}

/** Finds a video; throws `not_found`. */
export async function requireVideo(own: Own, componentId: string): Promise<VideoComponent> {
  const component = await findComponent(own, componentId);
  if (component?.type !== "video") throw new Failure("not_found", "no_video");
  return component;
}

export const noTranscriptFailure = (reason: NoTranscriptReason, languages: readonly string[] = []) =>
  new Failure(
    "no_transcript",
    transcriptReason(reason),
    {},
    {
      reason,
      ...(languages.length > 0 ? { languages } : {}),
    },
  );

const isStored = ({ reason, expiresAt }: TranscriptDoc, now: number) =>
  reason === null && (expiresAt === null || expiresAt > now);

/** Transcripts that are stored and not expired. */
export const listStored = async ({ own, clock }: TranscriptDeps, componentId: string): Promise<TranscriptDoc[]> =>
  (await listTranscripts(own, componentId)).filter((doc) => isStored(doc, clock.now()));

export const toSummary = (doc: TranscriptDoc): TranscriptSummary => {
  const { language, source, name, isGenerated, segmentCount, madeAt } = doc;
  return { language, source, name, isGenerated, segmentCount, madeAt };
};

/**
 * Finds the transcript that fits a request: an uploaded one, otherwise one from YouTube (fetched if needed), otherwise
 * one from speech recognition. Throws `no_transcript` with the reason; never returns an empty transcript.
 */
export async function findTranscript(
  deps: TranscriptDeps,
  component: VideoComponent,
  query: TranscriptQuery = {},
): Promise<TranscriptDoc> {
  const stored = await listStored(deps, component._id);
  const found = chooseTranscript(stored, query);
  const videoId =
    query.source === undefined || query.source === "youtube" ? videoIdOf(component.content.file.id) : undefined;
  if (videoId === undefined) return found ?? throwNoMatch(stored);
  // Speech recognition is the last resort, so YouTube is tried first.
  if (found && found.source !== "speech") return found;
  try {
    return await fetchUnlessRefused(deps, component._id, { videoId, requestedLanguage: query.language ?? "" });
  } catch (error) {
    if (found && error instanceof Failure) return found;
    throw error;
  }
}

function throwNoMatch(stored: readonly TranscriptDoc[]): never {
  const languages = stored.map(({ language }) => language);
  throw noTranscriptFailure(languages.length > 0 ? "wrong_language" : "none_yet", languages);
}

/** Refusals are cached until they expire. */
async function fetchUnlessRefused(deps: TranscriptDeps, id: string, target: YoutubeRequest): Promise<TranscriptDoc> {
  const now = deps.clock.now();
  const cachedRefusal = (await listTranscripts(deps.own, id)).find(
    (doc) => doc.reason !== null && doc.requestedLanguage === target.requestedLanguage && (doc.expiresAt ?? 0) > now,
  );
  return requireText(cachedRefusal ?? (await fetchTranscript(deps, id, target)));
}

function requireText(doc: TranscriptDoc): TranscriptDoc {
  if (doc.reason !== null)
    throw noTranscriptFailure(
      doc.reason,
      doc.offered.map(({ language }) => language),
    );
  return doc;
}

/**
 * Requests the transcript from YouTube again, unless that was done within the last minute. Throws like
 * `findTranscript`.
 */
export async function refreshTranscript(
  deps: TranscriptDeps,
  component: VideoComponent,
  language: string | undefined,
): Promise<TranscriptDoc> {
  const videoId = videoIdOf(component.content.file.id);
  if (videoId === undefined) throw new Failure("bad_input", "only_youtube_refetch");
  const target = language ?? "";
  const existing = await listTranscripts(deps.own, component._id);
  const latest = existing.find((doc) => doc.source === "youtube" && doc.requestedLanguage === target);
  if (latest && deps.clock.now() - latest.madeAt < MIN_REFRESH_INTERVAL_MS) return requireText(latest);
  return requireText(await fetchTranscript(deps, component._id, { videoId, requestedLanguage: target }));
}

interface YoutubeRequest {
  videoId: string;
  requestedLanguage: string;
}

/** Requests to YouTube in flight, by component and language; concurrent calls share them. */
const inFlight = new Map<string, Promise<TranscriptDoc>>();

function fetchTranscript(deps: TranscriptDeps, componentId: string, target: YoutubeRequest): Promise<TranscriptDoc> {
  const key = `${componentId} ${target.requestedLanguage}`;
  const existing = inFlight.get(key);
  if (existing) return existing;
  const work = fetchAndSave(deps, componentId, target).finally(() => inFlight.delete(key));
  inFlight.set(key, work);
  return work;
}

async function fetchAndSave(deps: TranscriptDeps, componentId: string, target: YoutubeRequest): Promise<TranscriptDoc> {
  const outcome = await fetchFromYoutube(deps, target);
  const hasTranscript = (await listStored(deps, componentId)).some(
    (doc) => doc.source === "youtube" && doc.requestedLanguage === target.requestedLanguage,
  );
  // A refusal must not replace a stored transcript.
  if (hasTranscript && outcome instanceof NoYoutubeTranscriptError) throw noTranscriptFailure(outcome.reason);
  return saveOutcome(deps, componentId, target.requestedLanguage, outcome);
}

export type YoutubeOutcome = YoutubeTranscriptRead | NoYoutubeTranscriptError;

/** Makes one request to YouTube; a refusal is returned, not thrown. */
export async function fetchFromYoutube(
  { settings }: Pick<TranscriptDeps, "settings">,
  { videoId, requestedLanguage: target }: YoutubeRequest,
  signal?: AbortSignal,
): Promise<YoutubeOutcome> {
  const youtubePort = { fetch, baseUrl: settings.YOUTUBE_BASE_URL, ...(signal ? { signal } : {}) };
  try {
    return await readYoutube(youtubePort, videoId, target || undefined);
  } catch (error) {
    if (error instanceof NoYoutubeTranscriptError) return error;
    throw error;
  }
}

const outcomeFields = (facts: PlayerFacts | undefined) => ({
  offered: toOfferedTracks(facts?.tracks ?? []),
  chapters: parseDescriptionChapters(facts?.description ?? ""),
  durationMs: facts?.durationMs ?? null,
});

/** Stores YouTube's answer: a transcript for 30 days, a refusal for minutes or hours. */
export function saveOutcome(
  { own, clock }: TranscriptDeps,
  componentId: string,
  target: string,
  outcome: YoutubeOutcome,
): Promise<TranscriptDoc> {
  const now = clock.now();
  const base = {
    componentId,
    source: "youtube" as const,
    requestedLanguage: target,
    madeAt: now,
    ...outcomeFields(outcome.facts),
  };
  if (outcome instanceof NoYoutubeTranscriptError) {
    const { reason } = outcome;
    const expiresAt = now + (isTransient(reason) ? TEMPORARY_REFUSAL_TTL_MS : REFUSAL_TTL_MS);
    const cachedRefusal = { ...base, language: target || "und", name: "", isGenerated: false, reason, expiresAt };
    return saveTranscript(own, cachedRefusal, [], ulid(now));
  }
  const { language, name, isGenerated, segments } = outcome;
  const read = { ...base, language, name, isGenerated, reason: null, expiresAt: now + TRANSCRIPT_RETENTION_MS };
  return saveTranscript(own, read, segments, ulid(now));
}

type UploadedTranscript = Pick<NewTranscript, "source" | "language" | "name" | "isGenerated"> &
  Partial<Pick<NewTranscript, "chapters">>;

/** Stores an uploaded transcript, replacing the previous one in that language. */
export function saveUploadedTranscript(
  { own, clock }: TranscriptDeps,
  componentId: string,
  uploaded: UploadedTranscript,
  segments: readonly TranscriptSegment[],
): Promise<TranscriptDoc> {
  const now = clock.now();
  const emptyFields = {
    reason: null,
    expiresAt: null,
    offered: [],
    chapters: [],
    durationMs: null,
    requestedLanguage: "",
  };
  return saveTranscript(own, { ...emptyFields, ...uploaded, componentId, madeAt: now }, segments, ulid(now));
}
