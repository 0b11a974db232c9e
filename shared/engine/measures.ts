import type { Fact } from "./facts.ts";
import type { Density } from "./schema.ts";
import { SPARE } from "./selection-limits.ts";

/** How large and how dense a deck may be. */
export interface Measure {
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
  floor: number;
  /** So many cards a deck shall have, if need be of lesser ones down to that floor; undefined where the floor is low already. */
  least?: { cards: number; floor: number };
  /** Cards of every form, however often strict readers threw that form away: what was asked for is scarce. */
  takesAnyForm?: boolean;
  /** At most this share of the deck fills blanks, once there is anything else to ask. */
  blanks: number;
  /** Only what the text names or explains: it tells a story. */
  isTold?: boolean;
}

const WORDS_PER_CARD = 70;
const byLength = (words: number) => Math.round(Math.min(300, Math.max(5, words / WORDS_PER_CARD)));

/** Of fewer cards nobody makes a deck. */
const FEW = 5;

/** A source of little matter has at least this part of what its length would give. */
const LEAST_SHARE = 16;

/** About 200 pages: more is asked of a book than of a chapter. */
const BOOK_WORDS = 80_000;

/** The specification's counts, aimed at their middle. */
const MEASURES: Readonly<Record<Density, (words: number) => Measure>> = {
  LOW: () => ({
    spare: 0,
    fillFrom: undefined,
    cards: 40,
    most: 44,
    perSentence: 1,
    perTerm: 2,
    floor: 1,
    least: { cards: 30, floor: 0.4 },
    blanks: 0.4,
  }),
  MEDIUM: () => ({
    spare: 1,
    fillFrom: 0.4,
    cards: 120,
    most: 120,
    perSentence: 1,
    perTerm: 2,
    floor: 0.6,
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
    floor: 0.45,
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
    floor: 0.3,
    blanks: 0.85,
  }),
  AUTO: (words) => ({
    spare: 0,
    fillFrom: undefined,
    cards: byLength(words),
    most: byLength(words) + SPARE,
    perSentence: 1,
    perTerm: 3,
    floor: 1.5,
    least: { cards: Math.max(FEW, Math.round(byLength(words) / LEAST_SHARE)), floor: 1 },
    blanks: 0.65,
  }),
};

/** Strict readers kept one in three of what is worth less than 1: it comes in only where there is next to nothing. */
export const LAST_FLOOR = 0.8;
export const NEXT_TO_NOTHING = 3;

const TELLS = /\b(?:he|she|him|her|his|said|cried|asked|I|you|thee|thou)\b|^["“']/;

/** What may be asked of these sentences. A story holds few facts to learn: its cards are fewer and must be better. */
export function measureOf(density: Density, words: number, facts: readonly Fact[]): Measure {
  const measure = MEASURES[density](words);
  const told = facts.filter(({ raw }) => TELLS.test(raw)).length;
  if (told < facts.length * 0.3 || facts.length < 20) return measure;
  return {
    ...measure,
    fillFrom: undefined,
    spare: 0,
    cards: Math.ceil(measure.cards / 4),
    floor: measure.floor + 0.4,
    isTold: true,
  };
}

/** Few cards about little text: more of each sentence and of lesser ones. */
export const withLimit = (measure: Measure, atMost: number | undefined): Measure =>
  atMost === undefined
    ? measure
    : {
        spare: 1,
        fillFrom: undefined,
        cards: atMost,
        most: atMost,
        perSentence: 3,
        perTerm: 12,
        floor: Math.min(measure.floor, 0.35),
        takesAnyForm: true,
        blanks: 0.6,
      };
