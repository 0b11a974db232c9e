import { z } from "zod";

/** 1 Again, 2 Hard, 3 Good, 4 Easy. */
export const Grade = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);
export type Grade = z.infer<typeof Grade>;

const MAX_REVIEWED_AT = Date.UTC(2100, 0, 1);

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
  mode: z.enum(["study", "quiz", "learn", "match"]).default("study"),
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
