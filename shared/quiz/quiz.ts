import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Grade } from "#shared/study/schema.ts";
import { shuffled } from "#shared/study/shuffle.ts";
import { gradeText } from "./grading.ts";
import { makeQuestion } from "./questions.ts";
import type { QuizAnswer, Judgement, QuestionType, QuizQuestion } from "./schema.ts";

export interface QuizPlan {
  /** The cards to ask. */
  cards: readonly Flashcard[];
  /** The whole deck, for wrong answers. */
  deck: readonly Flashcard[];
  types: readonly QuestionType[];
  /** Maximum number of questions. */
  length: number;
  random: () => number;
}

export interface Quiz {
  questions: readonly QuizQuestion[];
  /** Cards that none of the chosen types supports. */
  leftOut: number;
}

/** Shuffled cards, with cards of one group apart if possible. */
function shuffledByGroup(cards: readonly Flashcard[], random: () => number): Flashcard[] {
  const remaining = shuffled(cards, random);
  const order: Flashcard[] = [];
  while (remaining.length > 0) {
    const last = order.at(-1)?.groupId;
    const at = last === undefined ? 0 : remaining.findIndex((card) => card.groupId !== last);
    order.push(...remaining.splice(Math.max(0, at), 1));
  }
  return order;
}

/** Each card once, rotating through the chosen types: a card that does not support one gets the next. */
export function makeQuiz({ cards, deck, types, length, random }: QuizPlan): Quiz {
  const questions: QuizQuestion[] = [];
  const typeRotation = shuffled(types, random);
  let leftOut = 0;
  for (const card of shuffledByGroup(cards, random)) {
    if (questions.length >= length) break;
    const question = typeRotation
      .map((_, at) => typeRotation[(questions.length + at) % typeRotation.length] as QuestionType)
      .reduce<QuizQuestion | undefined>((made, type) => made ?? makeQuestion(type, { card, deck, random }), undefined);
    if (question) questions.push(question);
    else leftOut += 1;
  }
  return { questions, leftOut };
}

const verdict = (isRight: boolean): Judgement => ({ verdict: isRight ? "right" : "wrong", missing: [] });

export function judgeAnswer(
  question: QuizQuestion,
  card: Pick<Flashcard, "question" | "answer">,
  answer: QuizAnswer,
): Judgement {
  if (answer === null) return verdict(false);
  switch (question.type) {
    case "multiple_choice":
      return verdict("option" in answer && answer.option === question.rightAt);
    case "true_false":
      return verdict("isTrue" in answer && answer.isTrue === question.isTrue);
    case "short_response":
      return "text" in answer ? gradeText(answer.text, card.answer, card.question) : verdict(false);
    case "fill_in_the_blank":
      return "text" in answer ? gradeText(answer.text, question.hidden) : verdict(false);
    default:
      return question satisfies never;
  }
}

/**
 * The grade for the review log. Wrong is Again and recall from memory is Good; an answer only recognised among options
 * proves less and counts as Hard.
 */
export function gradeFor(type: QuestionType, isRight: boolean): Grade {
  if (!isRight) return 1;
  return type === "multiple_choice" || type === "true_false" ? 2 : 3;
}
