import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";

/** A segment of speech, in milliseconds from the start of the video; `endMs` is never before `startMs`. */
export const TranscriptSegment = z.object({ startMs: z.int().min(0), endMs: z.int().min(0), text: z.string() });
export type TranscriptSegment = z.infer<typeof TranscriptSegment>;

/**
 * The origin of a transcript: an uploaded captions file, a client where the student is signed in to YouTube, YouTube
 * via this server, or speech recognition.
 */
export const TranscriptSource = z.enum(["sidecar", "client", "youtube", "speech"]);
export type TranscriptSource = z.infer<typeof TranscriptSource>;

/** A BCP 47 language tag; "und" if unknown. */
export const LanguageTag = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/, "Not a language tag, as en or pt-BR");

/** Why there is no transcript; screens choose their actions by it. */
export const NoTranscriptReason = z.enum([
  /** An uploaded file or a plain address without a transcript so far. */
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
  /** An empty response, which is how YouTube often refuses servers. */
  "empty_answer",
  "unreachable",
]);
export type NoTranscriptReason = z.infer<typeof NoTranscriptReason>;

/** A chapter lasts from `startMs` to the next chapter or the end of the video. */
export const Chapter = z.object({ startMs: z.int().min(0), title: z.string() });
export type Chapter = z.infer<typeof Chapter>;

/** A transcript without its text. */
export const TranscriptSummary = z.object({
  language: z.string(),
  source: TranscriptSource,
  /** A file's name, or YouTube's name for the track. */
  name: z.string(),
  /** Whether the transcript was generated automatically. */
  isGenerated: z.boolean(),
  segmentCount: z.int().min(0),
  madeAt: z.number(),
});
export type TranscriptSummary = z.infer<typeof TranscriptSummary>;

export const Transcript = TranscriptSummary.extend({ componentId: z.string(), segments: z.array(TranscriptSegment) });
export type Transcript = z.infer<typeof Transcript>;

/** Languages that YouTube offers and that were not fetched yet. */
export const OfferedTrack = z.object({ language: z.string(), name: z.string(), isGenerated: z.boolean() });
export type OfferedTrack = z.infer<typeof OfferedTrack>;

/** A match: its segments, and the range of UTF-16 units within the first and the last of them. */
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
/** No recording is this long, so later times indicate wrong units. */
export const MAX_TIME_MS = 48 * 3_600_000;

/** A segment as received, before `cleanSegments`. */
export const ReceivedSegment = z.object({
  startMs: z.number(),
  endMs: z.number(),
  text: z.string().max(MAX_SEGMENT_CHARS),
});
export type ReceivedSegment = z.infer<typeof ReceivedSegment>;

export const SpeechEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), seq: z.int(), jobId: z.string() }),
  /** Audio chunks transcribed and their total; 0 while the total is unknown. */
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
