import type { ReactNode } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Grade, Review, Schedule } from "#shared/study/schema.ts";
import type { Bucket } from "#shared/user/schema.ts";

/** The ways to go through a deck, as the address names them. */
export const STUDY_MODES = ["learn", "flip", "quiz", "match"] as const;
export type StudyMode = (typeof STUDY_MODES)[number];

/** An answer that was kept, with what is needed to say something else in its place. */
export interface KeptAnswer {
  reviewId: string;
  cardId: string;
  durationMs: number;
  mode: Review["mode"];
  before: Schedule | undefined;
  after: Schedule;
}

/** What a mode has of the deck that is studied. */
export interface ModeProps {
  deck: { componentId: string; pageId: string; title: string; pageTitle: string; sources: ReadonlyMap<string, string> };
  /** Every card that may be asked: what distractors are taken from. */
  cards: readonly Flashcard[];
  /** Those of the chosen bucket, in the deck's order. */
  inBucket: readonly Flashcard[];
  bucket: Bucket;
  schedules: ReadonlyMap<string, Schedule>;
  /** Cards that the plan allows in a day; null where it sets no limit. */
  dailyLimit: number | null;
  /** Whether the plan allows the card today. */
  mayAsk: (cardId: string) => boolean;
  /** Keeps an answer on this device and in the queue; undefined where that failed, and the student was told. */
  answer: (given: {
    cardId: string;
    grade: Grade;
    durationMs: number;
    mode: Review["mode"];
  }) => Promise<KeptAnswer | undefined>;
  /** Another grade in the place of one that was just kept. */
  replace: (kept: KeptAnswer, grade: Grade) => Promise<KeptAnswer | undefined>;
  /** Takes all cards in place of the chosen bucket. */
  askAll: () => void;
  leave: () => void;
  /** Modes, buckets and reading aloud, to stand beneath the header. */
  bar: ReactNode;
}
