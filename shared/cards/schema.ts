import { z } from "zod";

export const Density = z.enum(["LOW", "MEDIUM", "HIGH", "VERY_HIGH", "AUTO"]);
export type Density = z.infer<typeof Density>;

/** What every engine must return: a question, its answer and the quote that proves it. */
export const DraftCard = z.object({
  question: z.string(),
  answer: z.string(),
  /** Exact words of the source. */
  quote: z.string(),
});
export type DraftCard = z.infer<typeof DraftCard>;

export const EngineCard = DraftCard.extend({
  /** In a cloze question the blank is written `____`. */
  kind: z.enum(["qa", "cloze"]),
  passageId: z.string(),
  page: z.int().min(1).optional(),
});
export type EngineCard = z.infer<typeof EngineCard>;

/** What the built-in engine could not do for this source. */
export const EngineNotice = z.enum([
  /** The text is not English, so only emphasised words are asked. */
  "only_emphasised_terms",
  /** The text is not English and nothing in it is emphasised, so there are no cards. */
  "language_not_supported",
  /** Cards stay in the language of the source, because nothing is translated. */
  "not_translated",
  /** Cards already in other decks were not made again. */
  "already_in_library",
  /** The text has too few facts for the requested density. */
  "fewer_cards_than_asked",
]);
export type EngineNotice = z.infer<typeof EngineNotice>;

/** One section or key term of a source: its cards, or why it has none. */
export const CoverageEntry = z.object({
  kind: z.enum(["section", "term"]),
  label: z.string(),
  page: z.int().nullable(),
  /** The first passage of a section, or the one that emphasises the term; missing in older maps. */
  passageId: z.string().optional(),
  cardIds: z.array(z.string()),
  /**
   * `no_fact`: no sentence here makes a good card; `left_out`: no space in the deck; `not_matter`: nothing to learn
   * here.
   */
  skipped: z.enum(["no_fact", "left_out", "not_matter"]).nullable(),
});
export type CoverageEntry = z.infer<typeof CoverageEntry>;

export type EngineEvent =
  | { type: "card"; card: EngineCard }
  | { type: "progress"; done: number; total: number }
  | { type: "notice"; notice: EngineNotice };

/** The form in which a student sees a card, for cards of every engine. */
export const CARD_FORMS = [
  "opening_blank",
  "closing_blank",
  "blank",
  "definition",
  "name",
  "reason",
  "circumstance",
  "cell",
  "question",
] as const;
export type CardForm = (typeof CARD_FORMS)[number];

/** For each form, what is added to the log odds that a card of this form is kept. */
export type FormPreference = Partial<Record<CardForm, number>>;

export interface EngineOptions {
  density: Density;
  customInstructions?: string;
  /** The language that the student wants to read: a name or a tag. */
  language?: string;
  /** Existing cards of the deck; duplicates of them aren't made. */
  existingCards?: readonly { question: string; answer: string }[];
  /** How often the student leaves cards of each form unchanged. */
  formPreference?: FormPreference;
  /** The maximum number of cards for a single section or term. */
  maxCards?: number;
}

export const BLANK = "____";
