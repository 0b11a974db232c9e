import type { Fact } from "../source/facts.ts";
import type { Density } from "../schema.ts";
import { MAX_SPARE_CARDS } from "./selection-limits.ts";

/** How densely a deck covers its source, with cards that a strict reader would probably keep. */
export interface CoverageLimits {
  wordsPerCard: number;
  /** The least probability for the first card of a section, or of a window of `wordsPerCard` words. */
  windowProbability: number;
  /** The least probability for further cards, until the deck has one for each `wordsPerCard` words. */
  deckProbability: number;
  /** Cards with this probability are taken even then; undefined for none. */
  certainProbability?: number;
}

/** The size and density of a deck. */
export interface DeckLimits {
  cards: number;
  /** The deck never exceeds this, even if terms of its last sections are left out. */
  most: number;
  perSentence: number;
  perTerm: number;
  /** Additional cards per sentence and term if a section has nothing better left. */
  spare: 0 | 1;
  /** Minimum score of cloze cards for words that aren't terms, used if nothing better is left; undefined for none. */
  fillFrom: number | undefined;
  /** Also allows sentences with little besides their blank if nothing else is left. */
  isExhaustive?: boolean;
  /** Cards with lower scores are left out, unless there are fewer than `least`. */
  threshold: number;
  /** A minimum number of cards, with scores down to this threshold; undefined if the threshold is low already. */
  least?: { cards: number; threshold: number; probability?: number };
  /** Cards that a strict reader keeps with a lower probability are left out; undefined takes any. */
  leastProbability?: number;
  /** The limits for cards that fill gaps; undefined if the deck need not cover its source. */
  coverage?: CoverageLimits;
  /** Allows all styles, even those that strict readers often deleted, because cards are scarce. */
  allowsAllStyles?: boolean;
  /** Maximum share of cloze cards, if there is anything else to ask. */
  blanks: number;
  /** Only names and explanations, because the source is a story. */
  isNarrative?: boolean;
}

const WORDS_PER_CARD = 70;
const byLength = (words: number) => Math.round(Math.min(300, Math.max(5, words / WORDS_PER_CARD)));

/** The smallest useful deck. */
const MIN_CARDS = 5;

/** A source with little content gets at least this fraction (1/16) of the cards that its length would give. */
const MIN_SHARE_DIVISOR = 16;

/** About 200 pages: longer sources count as books. */
const BOOK_WORDS = 80_000;

/** The card counts are near the middle of the ranges in the specification. */
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
    leastProbability: 0.45,
    coverage: { wordsPerCard: 250, windowProbability: 0.45, deckProbability: 0.5, certainProbability: 0.65 },
    blanks: 0.65,
  }),
};

/** Strict readers kept a third of the cards below 1, so they are used only if there is hardly anything else. */
export const LAST_THRESHOLD = 0.8;
export const MIN_DECK_CARDS = 3;

/**
 * A story mentions persons and quotes what they say. Both signs are needed, because a history mentions persons too, and
 * a textbook addresses its reader.
 */
const MENTIONS_PERSONS = /\b(?:he|she|him|her|his|said|cried|asked|I|me|my|thee|thou)\b|^["“']/;
const QUOTES_SPEECH = /^["“‘']|[,?!]["”’] |\b(?:said|cried|asked|replied|answered|exclaimed|thee|thou|thy)\b/;
const isStory = (facts: readonly Fact[]) =>
  facts.length >= 20 &&
  facts.filter(({ original }) => MENTIONS_PERSONS.test(original)).length >= facts.length * 0.3 &&
  facts.filter(({ original }) => QUOTES_SPEECH.test(original)).length >= facts.length * 0.08;

/** Readers kept a third of the cards of manuals, papers and notes that pass the thresholds for textbooks. */
const TECHNICAL_PROBABILITY = 0.5;
/** If hardly anything passes, a small deck is better than one about listings and options. */
const LOWERED_PROBABILITY = 0.35;
const technicalLimits = (limits: DeckLimits): DeckLimits =>
  limits.coverage === undefined
    ? limits
    : {
        ...limits,
        leastProbability: TECHNICAL_PROBABILITY,
        ...(limits.least === undefined ? {} : { least: { ...limits.least, probability: LOWERED_PROBABILITY } }),
        coverage: {
          wordsPerCard: limits.coverage.wordsPerCard,
          windowProbability: TECHNICAL_PROBABILITY,
          deckProbability: TECHNICAL_PROBABILITY + 0.05,
        },
      };

/** The limits for these sentences. A story has few facts to learn, so its deck is smaller and stricter. */
export function deckLimitsFor(
  density: Density,
  words: number,
  { facts, isTechnical = false }: { facts: readonly Fact[]; isTechnical?: boolean },
): DeckLimits {
  const byDensity = LIMITS_BY_DENSITY[density](words);
  const limits = isTechnical ? technicalLimits(byDensity) : byDensity;
  if (!isStory(facts)) return limits;
  return {
    ...limits,
    fillFrom: undefined,
    spare: 0,
    cards: Math.ceil(limits.cards / 4),
    threshold: limits.threshold + 0.4,
    isNarrative: true,
  };
}

/** Limits for a few cards about little text: more per sentence, and with lower scores. */
export const withCardLimit = (limits: DeckLimits, maxCards: number | undefined): DeckLimits =>
  maxCards === undefined
    ? limits
    : {
        spare: 1,
        fillFrom: undefined,
        cards: maxCards,
        most: maxCards,
        perSentence: 3,
        perTerm: 12,
        threshold: Math.min(limits.threshold, 0.35),
        allowsAllStyles: true,
        blanks: 0.6,
      };
