import { z } from "zod";

/** 1 Again, 2 Hard, 3 Good, 4 Easy. */
export const Grade = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);
export type Grade = z.infer<typeof Grade>;

const MAX_REVIEWED_AT = Date.UTC(2100, 0, 1);

/** A card's memory as another program kept it; what it did not keep is taken from the card's own reviews. */
export const MemorySeed = z.object({
  stability: z.number().min(0.001).max(36_500),
  difficulty: z.number().min(1).max(10),
  dueAt: z
    .number()
    .min(0)
    .max(MAX_REVIEWED_AT * 4),
  scheduledDays: z.number().min(0).max(36_500),
  reps: z.int().min(0).max(1_000_000),
  lapses: z.int().min(0).max(1_000_000),
  state: z.enum(["learning", "review", "relearning"]),
});
export type MemorySeed = z.infer<typeof MemorySeed>;

/** One answer given. `_id` is made where the student is, so that the same review arrives once. */
export const Review = z.object({
  _id: z.string().min(10).max(64),
  cardId: z.string().min(1).max(64),
  /** The deck. */
  componentId: z.string().min(1).max(64),
  grade: Grade,
  /** Epoch ms by the student's clock, up to the year 2100. */
  reviewedAt: z.int().min(0).max(MAX_REVIEWED_AT),
  durationMs: z.number().min(0).max(86_400_000).default(0),
  mode: z.enum(["study", "quiz", "learn", "match", "import"]).default("study"),
  /**
   * Days until the card comes back, as the device chose them among those that the scheduler leaves open, so that days
   * fill evenly. It counts only where it lies within that range: every device derives the same due date from it.
   */
  intervalDays: z.int().min(1).max(36_500).optional(),
  /** What another program knew of the card, in place of an answer: it sets the memory instead of advancing it. */
  seed: MemorySeed.optional(),
});
export type Review = z.infer<typeof Review>;

/** FSRS memory of a card, derived from its reviews alone; times are epoch ms. */
export const Schedule = z.object({
  cardId: z.string(),
  componentId: z.string(),
  state: z.enum(["new", "learning", "review", "relearning"]),
  dueAt: z.number(),
  stability: z.number(),
  difficulty: z.number(),
  reps: z.int(),
  lapses: z.int(),
  /** The learning step the card stands on. */
  learningStep: z.int(),
  scheduledDays: z.number(),
  lastReviewedAt: z.number().nullable(),
  firstReviewedAt: z.number().nullable(),
  /** Right answers in a row until the card is hard no longer; 0 where it is not hard. */
  rightAnswersToGo: z.int(),
});
export type Schedule = z.infer<typeof Schedule>;

/** The twenty-one numbers of FSRS-6. */
export const Weights = z.array(z.number()).length(21);

/** What a student set for one deck; null where the deck follows the preferences. */
export const DeckSettings = z.object({
  desiredRetention: z.number().min(0.7).max(0.97).nullable().default(null),
  /** The exam, epoch ms. */
  examAt: z.number().min(0).max(MAX_REVIEWED_AT).nullable().default(null),
  minutesPerDay: z.number().min(1).max(1440).nullable().default(null),
  /** Decks of one exam share its minutes and this name; null where the deck has an exam of its own, or none. */
  examId: z.string().max(64).nullable().default(null),
});
export type DeckSettings = z.infer<typeof DeckSettings>;

/** What waits in a deck, as lists and the sidebar show it. */
export const DueDeck = z.object({
  componentId: z.string(),
  pageId: z.string(),
  title: z.string(),
  due: z.int(),
  fresh: z.int(),
  total: z.int(),
  /** The exam that the student set for it, epoch ms. */
  examAt: z.number().nullable().default(null),
  minutesPerDay: z.number().nullable().default(null),
  examId: z.string().nullable().default(null),
});
export type DueDeck = z.infer<typeof DueDeck>;
