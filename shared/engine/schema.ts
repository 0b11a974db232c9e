import { z } from "zod";

export const Density = z.enum(["LOW", "MEDIUM", "HIGH", "VERY_HIGH", "AUTO"]);
export type Density = z.infer<typeof Density>;

/** What every engine, built in or hosted, must hand in: a question, its answer and the passage that proves it. */
export const DraftCard = z.object({
  question: z.string(),
  answer: z.string(),
  /** Words of the source, as they stand there. */
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

/** What the built-in engine could not do for this source, told rather than hidden. */
export const EngineNotice = z.enum([
  /** The text is not English: only emphasised words are asked. */
  "only_emphasised_terms",
  /** The text is not English and nothing in it is emphasised: no card. */
  "language_not_supported",
  /** Cards stay in the language of the source: nothing is translated. */
  "not_translated",
  /** The text holds too few facts for the density asked for. */
  "fewer_cards_than_asked",
]);
export type EngineNotice = z.infer<typeof EngineNotice>;

export type EngineEvent =
  | { type: "card"; card: EngineCard }
  | { type: "progress"; done: number; total: number }
  | { type: "notice"; notice: EngineNotice };

export interface EngineOptions {
  density: Density;
  customInstructions?: string;
  /** The language the student wants to read: a name or a tag. */
  language?: string;
  /** Cards of the same deck from before: their like is not asked again. */
  alreadyAsked?: readonly { question: string; answer: string }[];
}

export const BLANK = "____";
