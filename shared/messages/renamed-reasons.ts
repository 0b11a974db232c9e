/**
 * Keys that a stored failure, an older server or an older client may still carry, with their present names. A key that
 * was sent or stored once stays here.
 */
export const renamedReasons: Readonly<Record<string, string>> = {
  analyses_underway: "too_many_analyses",
  answers_underway: "too_many_answers",
  captures_of_another: "captures_of_other_account",
  cards_without_words: "cards_without_text",
  changes_of_another: "changes_of_other_account",
  content_misfit: "content_type_mismatch",
  decks_underway: "too_many_decks",
  engine_too_much: "source_too_large_for_engine",
  folder_without_words: "folder_without_content",
  from_after_to: "page_range_reversed",
  no_call: "no_endpoint",
  no_thing: "no_item",
  nothing_like_that: "no_item",
  research_underway: "research_running",
  researches_underway: "too_many_research_runs",
  sign_in_expired: "sign_in_attempt_expired",
  speech_nothing_heard: "speech_not_found",
  stopped_cards_kept: "stopped_cards_saved",
  which_pdf: "pdf_id_missing",
};
