import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";

/** A stretch of speech, in milliseconds from the start of the video; `endMs` is never before `startMs`. */
export const Segment = z.object({ startMs: z.int().min(0), endMs: z.int().min(0), text: z.string() });
export type Segment = z.infer<typeof Segment>;

/**
 * Who told what is said: a captions file beside the video, a client that read it where the student is signed in,
 * YouTube asked by this server, or speech recognition.
 */
export const TranscriptSource = z.enum(["sidecar", "client", "youtube", "speech"]);
export type TranscriptSource = z.infer<typeof TranscriptSource>;

/** A language tag as captions carry it; "und" where nobody said. */
export const Language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/, "Not a language tag, as en or pt-BR");

/** Why there is no transcript; screens choose by this what they offer. */
export const NoTranscriptReason = z.enum([
  /** An uploaded file or a plain address: nobody has said yet what is spoken in it. */
  "none_yet",
  "no_captions",
  "wrong_language",
  "private",
  "age_restricted",
  "unavailable",
  "live",
  "sign_in",
  "bot_check",
  "consent",
  "too_many_requests",
  /** An answer with nothing in it, which is how YouTube often refuses servers. */
  "empty_answer",
  "unreachable",
]);
export type NoTranscriptReason = z.infer<typeof NoTranscriptReason>;

/** A chapter begins at `startMs` and lasts to the next one, or to the end. */
export const Chapter = z.object({ startMs: z.int().min(0), title: z.string() });
export type Chapter = z.infer<typeof Chapter>;

/** A transcript without its text. */
export const TranscriptSummary = z.object({
  language: z.string(),
  source: TranscriptSource,
  /** A file's name, or what YouTube calls the track. */
  name: z.string(),
  /** Written by a machine and not by a person. */
  isGenerated: z.boolean(),
  segmentCount: z.int().min(0),
  madeAt: z.number(),
});
export type TranscriptSummary = z.infer<typeof TranscriptSummary>;

export const Transcript = TranscriptSummary.extend({ componentId: z.string(), segments: z.array(Segment) });
export type Transcript = z.infer<typeof Transcript>;

/** Languages that YouTube says it has and that were not fetched yet. */
export const OfferedTrack = z.object({ language: z.string(), name: z.string(), isGenerated: z.boolean() });
export type OfferedTrack = z.infer<typeof OfferedTrack>;

/** Where a search found its words: the segments, and the range of code units within the first and the last of them. */
export const TranscriptHit = z.object({
  from: z.int().min(0),
  to: z.int().min(0),
  startMs: z.int().min(0),
  text: z.string(),
  range: z.tuple([z.int().min(0), z.int().min(0)]),
});
export type TranscriptHit = z.infer<typeof TranscriptHit>;

export const MAX_SEGMENTS = 60_000;
const MAX_SEGMENT_CHARS = 4_000;
/** Longer than any recording: later times are taken for a confusion of units. */
export const MAX_TIME_MS = 48 * 3_600_000;

/** A segment as somebody hands it in: put in order and cut to size by `cleanSegments`. */
export const GivenSegment = z.object({
  startMs: z.number(),
  endMs: z.number(),
  text: z.string().max(MAX_SEGMENT_CHARS),
});
export type GivenSegment = z.infer<typeof GivenSegment>;

export const SpeechEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), seq: z.int(), jobId: z.string() }),
  /** Pieces of sound that were heard, of how many; 0 while they are not counted yet. */
  z.object({
    type: z.literal("progress"),
    seq: z.int(),
    stage: z.enum(["reading", "sending"]),
    done: z.int(),
    total: z.int(),
  }),
  z.object({ type: z.literal("result"), seq: z.int(), segmentCount: z.int(), language: z.string() }),
  z.object({ type: z.literal("error"), seq: z.int(), code: z.string(), message: z.string(), ...reasonFields }),
]);
export type SpeechEvent = z.infer<typeof SpeechEvent>;
