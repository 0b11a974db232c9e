import { z } from "zod";
import { isSameLanguage } from "#shared/video/rules.ts";
import type { NoTranscriptReason } from "#shared/video/schema.ts";

export interface Track {
  url: string;
  language: string;
  name: string;
  isGenerated: boolean;
}

/** Metadata from the player response. */
export interface PlayerFacts {
  title: string;
  durationMs: number | null;
  description: string;
  isLive: boolean;
  tracks: Track[];
}

const TextRuns = z.object({
  simpleText: z.string().optional(),
  runs: z.array(z.object({ text: z.string() })).optional(),
});
const CaptionTrack = z.object({
  baseUrl: z.string(),
  languageCode: z.string().max(35),
  kind: z.string().optional(),
  name: TextRuns.optional(),
});
/** Every field is optional, since the format is undocumented. */
const PlayerResponse = z.object({
  playabilityStatus: z.object({ status: z.string().optional(), reason: z.string().optional() }).optional(),
  videoDetails: z
    .object({
      title: z.string().optional(),
      lengthSeconds: z.string().optional(),
      shortDescription: z.string().optional(),
      isLive: z.boolean().optional(),
    })
    .optional(),
  captions: z
    .object({
      playerCaptionsTracklistRenderer: z.object({ captionTracks: z.array(z.unknown()).optional() }).optional(),
    })
    .nullish(),
});

const plainTextOf = (textRuns: z.infer<typeof TextRuns> | undefined) =>
  (textRuns?.simpleText ?? textRuns?.runs?.map(({ text }) => text).join("") ?? "").slice(0, 200);

function parseTrack(raw: unknown): Track[] {
  const read = CaptionTrack.safeParse(raw);
  if (!read.success || !URL.canParse(read.data.baseUrl)) return [];
  const { baseUrl: url, languageCode: language, kind, name } = read.data;
  return [{ url, language, name: plainTextOf(name), isGenerated: kind === "asr" }];
}

export function parsePlayerFacts(response: unknown): PlayerFacts {
  const { videoDetails = {}, captions } = PlayerResponse.safeParse(response).data ?? {};
  const { title = "", lengthSeconds = "", shortDescription = "", isLive = false } = videoDetails;
  const seconds = Number(lengthSeconds);
  return {
    title: title.trim().slice(0, 300),
    durationMs: Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null,
    description: shortDescription.slice(0, 20_000),
    isLive,
    tracks: (captions?.playerCaptionsTracklistRenderer?.captionTracks ?? []).flatMap(parseTrack),
  };
}

/** The status decides; its text may be in any language and only distinguishes cases of one status. */
export function findRefusalReason(response: unknown, { isLive }: PlayerFacts): NoTranscriptReason | undefined {
  const { status = "", reason = "" } = PlayerResponse.safeParse(response).data?.playabilityStatus ?? {};
  if (/\bprivate\b/i.test(reason)) return "private";
  if (status === "OK") return isLive ? "live" : undefined;
  if (status === "LOGIN_REQUIRED") return findSignInReason(reason);
  return BY_STATUS[status] ?? (isLive ? "live" : "unavailable");
}

const BY_STATUS: Readonly<Record<string, NoTranscriptReason>> = {
  "": "unreachable",
  LIVE_STREAM_OFFLINE: "live",
  AGE_CHECK_REQUIRED: "age_restricted",
  AGE_VERIFICATION_REQUIRED: "age_restricted",
};

function findSignInReason(reason: string): NoTranscriptReason {
  if (/\binappropriate\b|\bage\b/i.test(reason)) return "age_restricted";
  return /\bbot\b/i.test(reason) ? "bot_check" : "sign_in";
}

/**
 * Picks the track in the requested language, otherwise in the spoken language (known from automatic captions),
 * otherwise the first track. Human captions come before automatic ones.
 */
export function chooseTrack(tracks: readonly Track[], language: string | undefined): Track | undefined {
  const targetLanguage = language ?? tracks.find(({ isGenerated }) => isGenerated)?.language;
  const matching =
    targetLanguage === undefined ? tracks : tracks.filter((track) => isSameLanguage(track.language, targetLanguage));
  const isExact = (track: Track) =>
    targetLanguage !== undefined && track.language.toLowerCase() === targetLanguage.toLowerCase();
  return matching.toSorted(
    (a, b) => Number(a.isGenerated) - Number(b.isGenerated) || Number(isExact(b)) - Number(isExact(a)),
  )[0];
}
