import type { ReactNode } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Grade, Review, Schedule } from "#shared/study/schema.ts";
import type { Bucket } from "#shared/user/schema.ts";

/** Study modes, as named in the URL. */
export const STUDY_MODES = ["learn", "flip", "quiz", "match"] as const;
export type StudyMode = (typeof STUDY_MODES)[number];

/** A stored review, with the schedules that are needed to replace its grade. */
export interface StoredReview {
  reviewId: string;
  cardId: string;
  durationMs: number;
  mode: Review["mode"];
  before: Schedule | undefined;
  after: Schedule;
}

/** The props of every study mode. */
export interface ModeProps {
  deck: { componentId: string; pageId: string; title: string; pageTitle: string; sources: ReadonlyMap<string, string> };
  /** Every card that may be studied; distractors are taken from these. */
  cards: readonly Flashcard[];
  /** The cards of the chosen bucket, in the deck's order. */
  inBucket: readonly Flashcard[];
  bucket: Bucket;
  schedules: ReadonlyMap<string, Schedule>;
  /** Cards per day allowed by the plan; null for no limit. */
  dailyLimit: number | null;
  /** Whether the plan allows this card today. */
  canStudy: (cardId: string) => boolean;
  /** Stores a review on this device and in the queue; undefined on failure, after a notice was shown. */
  recordReview: (review: {
    cardId: string;
    grade: Grade;
    durationMs: number;
    mode: Review["mode"];
  }) => Promise<StoredReview | undefined>;
  /** Replaces the grade of the latest review. */
  replaceReview: (review: StoredReview, grade: Grade) => Promise<StoredReview | undefined>;
  /** Switches from the chosen bucket to all cards. */
  studyAllCards: () => void;
  /** Switches from the chosen bucket to the cards that were never answered. */
  studyNewCards: () => void;
  leave: () => void;
  /** Modes, buckets and the read-aloud switch, shown below the header. */
  modeBar: ReactNode;
}
