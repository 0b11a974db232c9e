import type { Preferences } from "#shared/user/schema.ts";

export type QuestionType = keyof Preferences["flashcards"]["quiz_question_types"];

/** One answer that is shown to be chosen or judged. */
export interface Shown {
  text: string;
  image: string | null;
}

/** How a card is asked. What is right follows from the card and from this alone. */
export type QuizQuestion =
  | { type: "multiple_choice"; cardId: string; options: readonly Shown[]; rightAt: number }
  | { type: "true_false"; cardId: string; shown: Shown; isTrue: boolean }
  | { type: "short_response"; cardId: string }
  /** `hidden` stands between the other two; together they are a side of the card. */
  | { type: "fill_in_the_blank"; cardId: string; before: string; hidden: string; after: string; inAnswer: boolean };

/** What the student said; `null` where they did not know. */
export type Given = { option: number } | { isTrue: boolean } | { text: string } | null;

export type Verdict = "right" | "partly" | "wrong";

export interface Judgement {
  verdict: Verdict;
  /** Words of the answer that were not said. */
  missing: readonly string[];
}
