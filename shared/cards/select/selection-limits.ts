import { phraseKey } from "#shared/text/words.ts";

/** Where a term is set off and explained; anywhere it stands. */
export const TIERS = ["introduced", "met"] as const;
export type Tier = (typeof TIERS)[number];

/** So many cards on a term need not say more of it than those before. */
export const FREE_CARDS_PER_TERM = 3;
/** A further one says this much more of what is typical of the term. */
export const MIN_SCORE_GROWTH = 1.15;
/** A question with an answer of its own teaches more than a blank that holds the same words. */
export const BLANK_WEIGHT = 0.7;
/** Candidates looked at for a further card on one term. */
export const TRIES_PER_TERM = 4;

/** A sentence that sets off several terms may ask for each of them, up to so many. */
export const MAX_CARDS_PER_INTRODUCTION = 3;

/** Terms may take this many cards of the sections to come. */
export const MAX_SPARE_CARDS = 4;
/** Candidates tried for each card wanted: a text that repeats itself offers thousands alike. */
export const TRIES_PER_CARD = 12;
export const MIN_TRIES = 100;

/** A source with fewer terms of weight is too short to tell its matter from its asides. */
export const MIN_KEY_TERMS = 25;

/** "What is T?" and "What are Ts?" are one question. */
export const definitionKey = (question: string) =>
  phraseKey(question.replace(/^What (?:is|are) (?:(?:the|an?) )?/i, ""));
