import type { Preferences } from "#shared/user/schema.ts";

export type QuestionType = keyof Preferences["flashcards"]["quiz_question_types"];

/** An answer shown as an option or statement. */
export interface AnswerOption {
  text: string;
  image: string | null;
}

/** A question for a card. The right answer follows from the card and this alone. */
export type QuizQuestion =
  | { type: "multiple_choice"; cardId: string; options: readonly AnswerOption[]; rightAt: number }
  | { type: "true_false"; cardId: string; shown: AnswerOption; isTrue: boolean }
  | { type: "short_response"; cardId: string }
  /** `hidden` is between `before` and `after`; together they are one side of the card. */
  | { type: "fill_in_the_blank"; cardId: string; before: string; hidden: string; after: string; inAnswer: boolean };

/** The student's answer; `null` for "I don't know". */
export type QuizAnswer = { option: number } | { isTrue: boolean } | { text: string } | null;

export type Verdict = "right" | "partly" | "wrong";

export interface Judgement {
  verdict: Verdict;
  /** Words missing from the student's answer. */
  missing: readonly string[];
}
