/** Thumbs on answers and cards. */
export const rating = {
  up: "Good answer",
  down: "Bad answer",
  card_up: "Good card",
  card_down: "Bad card",
  thanks: "Thank you. This helps to improve Lamplight.",
  failed: "Your rating could not be sent. Please try again.",
  title: "What was wrong?",
  reason: "Reason",
  optional: "Optional. Your thumb has been sent.",
  share: "Share this text with the people who run this server",
  send: "Send",
  skip: "Skip",
} as const;
