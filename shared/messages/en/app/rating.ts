/** Thumbs on answers, cards and completions. */
export const rating = {
  up: "Good answer",
  down: "Bad answer",
  card_up: "Good card",
  card_down: "Bad card",
  completion: "How was this completion?",
  completion_up: "Good completion",
  completion_down: "Bad completion",
  thanks: "Thank you. This helps to improve Lamplight.",
  failed: "Your rating could not be sent. Please try again.",
  title: "What was wrong?",
  reason: "Reason",
  optional: "Optional. Your rating has been sent.",
  share: "Share this text with the people who run this server",
  send: "Send",
  skip: "Skip",
} as const;
