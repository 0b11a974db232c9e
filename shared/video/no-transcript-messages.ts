import type { NoTranscriptReason } from "./schema.ts";

/** The message key for the reason why a video has no transcript. */
export const transcriptReason = (reason: NoTranscriptReason) => `transcript_${reason}` as const;

/** Transient reasons that may be retried soon; the others are cached for hours. */
export const isTransient = (reason: NoTranscriptReason) =>
  reason === "unreachable" || reason === "empty_answer" || reason === "too_many_requests" || reason === "bot_check";
