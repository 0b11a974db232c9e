import type { Fact } from "../source/facts.ts";
import type { Density } from "../schema.ts";
import { MAX_SPARE_CARDS } from "./selection-limits.ts";

/** How large and how dense a deck may be. */
export interface DeckLimits {
  cards: number;
  /** The deck never holds more, whatever terms are left to ask for in its last sections. */
  most: number;
  perSentence: number;
  perTerm: number;
  /** A second card of a sentence, where a section has nothing better left. */
  spare: 0 | 1;
  /** Blanks for words that are no terms, where nothing better is left: those worth this much; never, where undefined. */
  fillFrom: number | undefined;
  /** Also of sentences that say little beside their blank, once nothing else is left. */
  isExhaustive?: boolean;
  /** Cards worth less than this are left out, unless there are fewer than `least`. */
  threshold: number;
  /** So many cards a deck shall have, if need be of lesser ones down to that floor; undefined where the floor is low already. */
  least?: { cards: number; threshold: number };
  /** Cards of every form, however often strict readers threw that form away: what was asked for is scarce. */
  allowsAllStyles?: boolean;
  /** At most this share of the deck fills blanks, once there is anything else to ask. */
  blanks: number;
  /** Only what the text names or explains: it tells a story. */
  isNarrative?: boolean;
}

const WORDS_PER_CARD = 70;
const byLength = (words: number) => Math.round(Math.min(300, Math.max(5, words / WORDS_PER_CARD)));

/** Of fewer cards nobody makes a deck. */
const MIN_CARDS = 5;

/** A source of little matter has at least this part of what its length would give. */
const MIN_SHARE_DIVISOR = 16;

/** About 200 pages: more is asked of a book than of a chapter. */
const BOOK_WORDS = 80_000;

/** The specification's counts, aimed at their middle. */
const LIMITS_BY_DENSITY: Readonly<Record<Density, (words: number) => DeckLimits>> = {
  LOW: () => ({
    spare: 0,
    fillFrom: undefined,
    cards: 40,
    most: 44,
    perSentence: 1,
    perTerm: 2,
    threshold: 1,
    least: { cards: 30, threshold: 0.4 },
    blanks: 0.4,
  }),
  MEDIUM: () => ({
    spare: 1,
    fillFrom: 0.4,
    cards: 120,
    most: 120,
    perSentence: 1,
    perTerm: 2,
    threshold: 0.6,
    blanks: 0.47,
  }),
  HIGH: () => ({
    spare: 1,
    fillFrom: 0,
    isExhaustive: true,
    cards: 450,
    most: 600,
    perSentence: 3,
    perTerm: 12,
    threshold: 0.45,
    blanks: 0.75,
  }),
  VERY_HIGH: (words) => ({
    spare: 1,
    fillFrom: 0,
    isExhaustive: true,
    cards: words > BOOK_WORDS ? 900 : 750,
    most: 900,
    perSentence: 5,
    perTerm: 30,
    threshold: 0.3,
    blanks: 0.85,
  }),
  AUTO: (words) => ({
    spare: 0,
    fillFrom: undefined,
    cards: byLength(words),
    most: byLength(words) + MAX_SPARE_CARDS,
    perSentence: 1,
    perTerm: 3,
    threshold: 1.5,
    least: { cards: Math.max(MIN_CARDS, Math.round(byLength(words) / MIN_SHARE_DIVISOR)), threshold: 1 },
    blanks: 0.65,
  }),
};

/** Strict readers kept one in three of what is worth less than 1: it comes in only where there is next to nothing. */
export const LAST_THRESHOLD = 0.8;
export const MIN_DECK_CARDS = 3;

const NARRATIVE = /\b(?:he|she|him|her|his|said|cried|asked|I|you|thee|thou)\b|^["“']/;

/** What may be asked of these sentences. A story holds few facts to learn: its cards are fewer and must be better. */
export function deckLimitsFor(density: Density, words: number, facts: readonly Fact[]): DeckLimits {
  const limits = LIMITS_BY_DENSITY[density](words);
  const narrativeCount = facts.filter(({ raw }) => NARRATIVE.test(raw)).length;
  if (narrativeCount < facts.length * 0.3 || facts.length < 20) return limits;
  return {
    ...limits,
    fillFrom: undefined,
    spare: 0,
    cards: Math.ceil(limits.cards / 4),
    threshold: limits.threshold + 0.4,
    isNarrative: true,
  };
}

/** Few cards about little text: more of each sentence and of lesser ones. */
export const withCardLimit = (limits: DeckLimits, atMost: number | undefined): DeckLimits =>
  atMost === undefined
    ? limits
    : {
        spare: 1,
        fillFrom: undefined,
        cards: atMost,
        most: atMost,
        perSentence: 3,
        perTerm: 12,
        threshold: Math.min(limits.threshold, 0.35),
        allowsAllStyles: true,
        blanks: 0.6,
      };
