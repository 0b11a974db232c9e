import { phraseKey } from "#shared/text/words.ts";

/** Emphasised and explained in this sentence; mentioned anywhere. */
export const TIERS = ["introduced", "met"] as const;
export type Tier = (typeof TIERS)[number];

/** This many cards about a term needn't improve on each other. */
export const FREE_CARDS_PER_TERM = 3;
/** A further card must be this much more typical of the term. */
export const MIN_SCORE_GROWTH = 1.15;
/** A question teaches more than a blank with the same words. */
export const BLANK_WEIGHT = 0.7;
/** Candidates checked for a further card about a term. */
export const TRIES_PER_TERM = 4;

/** Maximum cards of a sentence that emphasises several terms. */
export const MAX_CARDS_PER_INTRODUCTION = 3;

/** Cards of later sections that a section's terms may use. */
export const MAX_SPARE_CARDS = 4;
/** Candidates tried for each requested card. A repetitive text has thousands of identical candidates. */
export const TRIES_PER_CARD = 12;
export const MIN_TRIES = 100;

/** A source with fewer key terms is too short to tell content from asides. */
export const MIN_KEY_TERMS = 25;

/** "What is T?" and "What are Ts?" are the same question. */
export const definitionKey = (question: string) =>
  phraseKey(question.replace(/^What (?:is|are) (?:(?:the|an?) )?/i, ""));
