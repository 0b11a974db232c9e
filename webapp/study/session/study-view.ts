import { atom } from "jotai/vanilla";
import type { StudyState } from "#shared/study/controller.ts";

/** The part of an exam's plan that concerns one deck. */
export interface DeckExamPlan {
  /** Today's cards of this deck, best first. */
  today: readonly string[];
  /** Calendar days until the exam; 0 on the day itself. */
  daysLeft: number;
  /** Expected share of cards recalled on the day, from 0 to 1. */
  recall: number;
}

/** A deck being studied. */
export interface ActiveStudy extends StudyState {
  state: "ready";
  /** The deck's exam plan; null without an upcoming exam. */
  examPlan: DeckExamPlan | null;
}

export type StudyView =
  | { state: "loading" }
  | { state: "failed"; reason: "missing" | "offline" | "error" }
  | ActiveStudy;

/** Writable, for this feature's state files; screens read `studyAtom`. */
export const studyStateAtom = atom<StudyView>({ state: "loading" });
export const studyAtom = atom((get) => get(studyStateAtom));
