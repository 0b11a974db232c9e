import { ulid } from "ulid";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned.ts";
import { findComponent } from "#api/pages/service.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import { videoIdOf } from "#shared/video/addresses.ts";
import { describedChapters } from "#shared/video/chapters.ts";
import { isPassing, transcriptReason } from "#shared/video/refusals.ts";
import { chooseTranscript } from "#shared/video/rules.ts";
import type { NoTranscriptReason, Segment, TranscriptSource, TranscriptSummary } from "#shared/video/schema.ts";
import { listTranscripts, saveTranscript, type NewTranscript, type TranscriptDoc } from "./store.ts";
import { NoYoutubeTranscript, offeredOf, readYoutube, type YoutubeTranscriptRead } from "./youtube.ts";
import type { PlayerFacts } from "./youtube-player.ts";

const DAY_MS = 86_400_000;
/** How long YouTube transcripts are stored. */
const KEPT_MS = 30 * DAY_MS;
/** How long a refusal is cached: shorter if it may be temporary. */
const REFUSED_MS = 6 * 3_600_000;
const PASSING_MS = 5 * 60_000;
/** Repeated refreshes within this time return the same result. */
const FRESH_MS = 60_000;

export type VideoComponent = Extract<Component, { type: "video" }>;

/** Dependencies for reading a transcript. */
export type TranscriptReader = Pick<Deps, "clock" | "settings"> & { own: Own };

export interface TranscriptWish {
  language?: string | undefined;
  source?: TranscriptSource | undefined;
}

/** Finds a video; throws `not_found`. */
export async function requireVideo(own: Own, componentId: string): Promise<VideoComponent> {
  const component = await findComponent(own, componentId);
  if (component?.type !== "video") throw new Failure("not_found", "no_video");
  return component;
}

const refusal = (reason: NoTranscriptReason, languages: readonly string[] = []) =>
  new Failure(
    "no_transcript",
    transcriptReason(reason),
    {},
    {
      reason,
      ...(languages.length > 0 ? { languages } : {}),
    },
  );

const isKept = ({ reason, expiresAt }: TranscriptDoc, now: number) =>
  reason === null && (expiresAt === null || expiresAt > now);

/** Transcripts that are stored and not expired. */
export const listKept = async ({ own, clock }: TranscriptReader, componentId: string): Promise<TranscriptDoc[]> =>
  (await listTranscripts(own, componentId)).filter((doc) => isKept(doc, clock.now()));

export const summaryOf = (doc: TranscriptDoc): TranscriptSummary => {
  const { language, source, name, isGenerated, segmentCount, madeAt } = doc;
  return { language, source, name, isGenerated, segmentCount, madeAt };
};

/**
 * Finds the transcript that fits a request: an uploaded one, else YouTube's (fetched if needed), else one from speech
 * recognition. Throws `no_transcript` with the reason; never returns an empty one.
 */
export async function findTranscript(
  reader: TranscriptReader,
  component: VideoComponent,
  wish: TranscriptWish = {},
): Promise<TranscriptDoc> {
  const kept = await listKept(reader, component._id);
  const found = chooseTranscript(kept, wish);
  const videoId =
    wish.source === undefined || wish.source === "youtube" ? videoIdOf(component.content.file.id) : undefined;
  if (videoId === undefined) return found ?? refuseAmong(kept);
  // Speech recognition is the last resort: ask YouTube first.
  if (found && found.source !== "speech") return found;
  try {
    return await fetchUnlessRefused(reader, component._id, { videoId, asked: wish.language ?? "" });
  } catch (error) {
    if (found && error instanceof Failure) return found;
    throw error;
  }
}

function refuseAmong(kept: readonly TranscriptDoc[]): never {
  const languages = kept.map(({ language }) => language);
  throw refusal(languages.length > 0 ? "wrong_language" : "none_yet", languages);
}

/** Refusals are cached until they expire. */
async function fetchUnlessRefused(reader: TranscriptReader, id: string, asked: Asked): Promise<TranscriptDoc> {
  const now = reader.clock.now();
  const refused = (await listTranscripts(reader.own, id)).find(
    (doc) => doc.reason !== null && doc.asked === asked.asked && (doc.expiresAt ?? 0) > now,
  );
  return readable(refused ?? (await fetchTranscript(reader, id, asked)));
}

function readable(doc: TranscriptDoc): TranscriptDoc {
  if (doc.reason !== null)
    throw refusal(
      doc.reason,
      doc.offered.map(({ language }) => language),
    );
  return doc;
}

/** Asks YouTube again unless it was asked within the last minute. Throws like `findTranscript`. */
export async function refreshTranscript(
  reader: TranscriptReader,
  component: VideoComponent,
  language: string | undefined,
): Promise<TranscriptDoc> {
  const videoId = videoIdOf(component.content.file.id);
  if (videoId === undefined) throw new Failure("bad_input", "only_youtube_refetch");
  const asked = language ?? "";
  const known = await listTranscripts(reader.own, component._id);
  const latest = known.find((doc) => doc.source === "youtube" && doc.asked === asked);
  if (latest && reader.clock.now() - latest.madeAt < FRESH_MS) return readable(latest);
  return readable(await fetchTranscript(reader, component._id, { videoId, asked }));
}

interface Asked {
  videoId: string;
  asked: string;
}

/** Requests to YouTube in flight, by component and language; concurrent calls share them. */
const underway = new Map<string, Promise<TranscriptDoc>>();

function fetchTranscript(reader: TranscriptReader, componentId: string, asked: Asked): Promise<TranscriptDoc> {
  const key = `${componentId} ${asked.asked}`;
  const known = underway.get(key);
  if (known) return known;
  const work = fetchAndSave(reader, componentId, asked).finally(() => underway.delete(key));
  underway.set(key, work);
  return work;
}

async function fetchAndSave(reader: TranscriptReader, componentId: string, asked: Asked): Promise<TranscriptDoc> {
  const outcome = await askYoutube(reader, asked);
  const before = (await listKept(reader, componentId)).some((d) => d.source === "youtube" && d.asked === asked.asked);
  // A refusal must not replace a stored transcript.
  if (before && outcome instanceof NoYoutubeTranscript) throw refusal(outcome.reason);
  return keepOutcome(reader, componentId, asked.asked, outcome);
}

export type YoutubeOutcome = YoutubeTranscriptRead | NoYoutubeTranscript;

/** Makes one request to YouTube; a refusal is returned, not thrown. */
export async function askYoutube(
  { settings }: Pick<TranscriptReader, "settings">,
  { videoId, asked }: Asked,
  signal?: AbortSignal,
): Promise<YoutubeOutcome> {
  const door = { fetch, baseUrl: settings.YOUTUBE_BASE_URL, ...(signal ? { signal } : {}) };
  try {
    return await readYoutube(door, videoId, asked || undefined);
  } catch (error) {
    if (error instanceof NoYoutubeTranscript) return error;
    throw error;
  }
}

const factsOfOutcome = (facts: PlayerFacts | undefined) => ({
  offered: offeredOf(facts?.tracks ?? []),
  chapters: describedChapters(facts?.description ?? ""),
  durationMs: facts?.durationMs ?? null,
});

/** Stores YouTube's answer: a transcript for 30 days, a refusal for minutes or hours. */
export function keepOutcome(
  { own, clock }: TranscriptReader,
  componentId: string,
  asked: string,
  outcome: YoutubeOutcome,
): Promise<TranscriptDoc> {
  const now = clock.now();
  const base = { componentId, source: "youtube" as const, asked, madeAt: now, ...factsOfOutcome(outcome.facts) };
  if (outcome instanceof NoYoutubeTranscript) {
    const { reason } = outcome;
    const expiresAt = now + (isPassing(reason) ? PASSING_MS : REFUSED_MS);
    const refused = { ...base, language: asked || "und", name: "", isGenerated: false, reason, expiresAt };
    return saveTranscript(own, refused, [], ulid(now));
  }
  const { language, name, isGenerated, segments } = outcome;
  const read = { ...base, language, name, isGenerated, reason: null, expiresAt: now + KEPT_MS };
  return saveTranscript(own, read, segments, ulid(now));
}

type Given = Pick<NewTranscript, "source" | "language" | "name" | "isGenerated"> &
  Partial<Pick<NewTranscript, "chapters">>;

/** Stores an uploaded transcript, replacing the previous one in that language. */
export function keepGiven(
  { own, clock }: TranscriptReader,
  componentId: string,
  given: Given,
  segments: readonly Segment[],
): Promise<TranscriptDoc> {
  const now = clock.now();
  const nothing = { reason: null, expiresAt: null, offered: [], chapters: [], durationMs: null, asked: "" };
  return saveTranscript(own, { ...nothing, ...given, componentId, madeAt: now }, segments, ulid(now));
}
