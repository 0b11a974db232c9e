import { hasSound, parseCardText } from "#shared/flashcards/card-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { shuffled } from "#shared/study/shuffle.ts";
import type { QuestionType, QuizQuestion } from "./schema.ts";
import { shownAnswerOf, isBlank, wrongAnswers } from "./wrong-answers.ts";
import { isNumber, normaliseWord, contentWordsOf } from "./words.ts";

export const QUESTION_TYPES = [
  "multiple_choice",
  "true_false",
  "short_response",
  "fill_in_the_blank",
] as const satisfies readonly QuestionType[];

const OPTIONS = 4;
/** Longer answers are not typed. */
const MAX_TYPED_CHARS = 240;
const MAX_HIDDEN_WORDS = 6;

/** Plain text: no formula, code, picture or sound, which cannot be typed. */
const isTypeable = (text: string) =>
  text.trim() !== "" && text.length <= MAX_TYPED_CHARS && parseCardText(text).every(({ kind }) => kind === "text");

interface QuestionInput {
  card: Flashcard;
  /** Source of wrong answers. */
  deck: readonly Flashcard[];
  random: () => number;
}

function multipleChoice({ card, deck, random }: QuestionInput): QuizQuestion | undefined {
  const right = shownAnswerOf(card);
  // An audio player contains a button and cannot be nested inside an option, which is one.
  if (hasSound(right.text)) return undefined;
  const wrong = wrongAnswers(card, deck, { count: OPTIONS - 1, random });
  if (wrong.length === 0) return undefined;
  const options = shuffled([right, ...wrong], random);
  return { type: "multiple_choice", cardId: card.id, options, rightAt: options.indexOf(right) };
}

function trueFalse({ card, deck, random }: QuestionInput): QuizQuestion | undefined {
  const [wrong] = wrongAnswers(card, deck, { count: 1, random });
  if (!wrong) return undefined;
  const isTrue = random() < 0.5;
  return { type: "true_false", cardId: card.id, shown: isTrue ? shownAnswerOf(card) : wrong, isTrue };
}

function shortResponse({ card }: QuestionInput): QuizQuestion | undefined {
  return isTypeable(card.answer) ? { type: "short_response", cardId: card.id } : undefined;
}

function fillInTheBlank({ card, random }: QuestionInput): QuizQuestion | undefined {
  if (!isTypeable(card.answer)) return undefined;
  const gap = /^([^_]*(?:_{1,2}[^_]+)*?)_{3,}([\s\S]*)$/.exec(card.question);
  const base = { type: "fill_in_the_blank", cardId: card.id } as const;
  if (gap) {
    const [, before = "", after = ""] = gap;
    const isShort = contentWordsOf(card.answer).length <= MAX_HIDDEN_WORDS;
    // With several gaps and one answer it is unclear which words belong where.
    return isShort && !/_{3,}/.test(after)
      ? { ...base, before, hidden: card.answer, after, inAnswer: false }
      : undefined;
  }
  const hidden = chooseHiddenWord(card, random);
  if (!hidden) return undefined;
  const { at, text } = hidden;
  const { answer } = card;
  return { ...base, before: answer.slice(0, at), hidden: text, after: answer.slice(at + text.length), inAnswer: true };
}

/** A word of the answer worth hiding: a content word, not in the question, and occurring once. */
function chooseHiddenWord(
  { question, answer }: Flashcard,
  random: () => number,
): { at: number; text: string } | undefined {
  const questionWords = new Set(contentWordsOf(question).map(({ key }) => key));
  const words = contentWordsOf(answer).filter(({ key, text }) => {
    const isContentWord = isNumber(key) || text.length >= 4 || /[^\p{Script=Latin}]/u.test(text);
    return isContentWord && !questionWords.has(key) && normaliseWord(answer).split(normaliseWord(text)).length === 2;
  });
  const [best] = shuffled(words.toSorted((a, b) => b.text.length - a.text.length).slice(0, 3), random);
  const at = best ? answer.indexOf(best.text) : -1;
  return best && at !== -1 ? { at, text: best.text } : undefined;
}

const makers: Record<QuestionType, (input: QuestionInput) => QuizQuestion | undefined> = {
  multiple_choice: multipleChoice,
  true_false: trueFalse,
  short_response: shortResponse,
  fill_in_the_blank: fillInTheBlank,
};

/** A question of this type for a card; undefined if the card does not support it. */
export function makeQuestion(type: QuestionType, input: QuestionInput): QuizQuestion | undefined {
  const { question, questionImage } = input.card;
  if (isBlank({ text: question, image: questionImage }) || isBlank(shownAnswerOf(input.card))) return undefined;
  return makers[type](input);
}
