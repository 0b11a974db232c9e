import type { NoTranscriptReason } from "./schema.ts";

/** Why a video has no transcript, for the user. */
export const noTranscriptMessages: Record<NoTranscriptReason, string> = {
  none_yet: "Nobody has said yet what is spoken in this video.",
  no_captions: "This video has no captions, or its owner has turned them off.",
  wrong_language: "This video has no captions in that language.",
  private: "This video is private: YouTube shows it to its owner's guests alone.",
  age_restricted: "YouTube shows this video only to signed-in adults, so this server cannot read its captions.",
  unavailable: "YouTube says this video is not available.",
  live: "This is a live broadcast. Its captions can be read when it has ended.",
  sign_in: "YouTube shows this video only to people who are signed in there.",
  bot_check: "YouTube asked this server to prove that it is no robot, and sent no captions.",
  consent: "YouTube asked for consent to cookies instead of sending the captions.",
  too_many_requests: "YouTube has had too many questions from this server. It usually answers again within an hour.",
  empty_answer: "YouTube sent an empty answer instead of the captions, as it often does to servers.",
  unreachable: "YouTube could not be reached from this server.",
};

/** Transient reasons that may be retried soon; the others are cached for hours. */
export const isPassing = (reason: NoTranscriptReason) =>
  reason === "unreachable" || reason === "empty_answer" || reason === "too_many_requests" || reason === "bot_check";
