/** Why a card of any engine is rejected. */
export const CARD_GATES = [
  "malformed",
  "needs_context",
  "quote_not_in_source",
  "answer_not_in_quote",
  "answer_in_question",
  "duplicate",
] as const;

/** Why a card that a model server wrote is rejected. */
export const WRITTEN_CARD_GATES = [
  ...CARD_GATES,
  "foreign_markup",
  "wrong_language",
  /** Asked from the quote alone, the model answers something else or nothing. */
  "quote_does_not_answer",
] as const;
export type WrittenCardGate = (typeof WRITTEN_CARD_GATES)[number];
