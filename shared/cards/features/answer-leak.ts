import { isGeneralWord } from "../source/terms.ts";
import { singular, wordsOf } from "#shared/text/words.ts";

/** The runs of letters in lower case; the first or last is "" if the text begins or ends with another character. */
const lettersOf = (text: string) => text.toLowerCase().split(/[^\p{L}]+/u);

/** A question word that starts with this much of an answer word reveals it. */
const startOf = (word: string) => word.slice(0, Math.max(MIN_START_CHARS, Math.ceil(word.length * START_SHARE)));
const MIN_START_CHARS = 5;
const START_SHARE = 0.5;

/** "The zygomycetes belong to the ____ (Zygomycota)": words next to the blank reveal the start of each answer word. */
export function leaksByPrefix(question: string, answer: string): boolean {
  const questionWords = lettersOf(question);
  return lettersOf(answer).every((word) => word.length >= MIN_START_CHARS && isWordLeaked(questionWords, word));
}

/** "Dropping out" reveals "dropout", "Var" reveals "variance". */
function isWordLeaked(questionWords: readonly string[], word: string): boolean {
  const start = startOf(word);
  const isPart = (questionWord: string) =>
    (questionWord.length >= MIN_PART_CHARS && word.endsWith(questionWord)) ||
    (questionWord.length >= MIN_WORD_CHARS && word.startsWith(questionWord));
  return questionWords.some((questionWord, i) => {
    if (questionWord.startsWith(start) || (!isGeneralWord(questionWord) && isPart(questionWord))) return true;
    const next = questionWords[i + 1] ?? "";
    return (
      questionWord.length >= MIN_PART_CHARS &&
      next.length > 1 &&
      word.startsWith(questionWord.slice(0, MIN_PART_CHARS)) &&
      word.endsWith(next)
    );
  });
}
const MIN_PART_CHARS = 4;
const MIN_WORD_CHARS = 3;

/** "What do cell keepers keep? The cells": half of a short answer is in the question. */
export function leaksHalf(question: string, answer: string): boolean {
  const words = lettersOf(answer).filter((word) => word.length >= MIN_START_CHARS && !isGeneralWord(word));
  const questionWords = lettersOf(question);
  const leakedCount = words.map(startOf).filter((start) => questionWords.some((word) => word.startsWith(start))).length;
  return words.length > 0 && wordsOf(answer).length <= MAX_SHORT_ANSWER_WORDS && leakedCount * 2 >= words.length;
}
const MAX_SHORT_ANSWER_WORDS = 4;

/** "How do photosynthetic boats live? By photosynthesis": the question has the word with another ending. */
export function leaksAlmostWhole(question: string, answer: string): boolean {
  const start = answer.toLowerCase().slice(0, Math.ceil(answer.length * ALMOST_WHOLE_SHARE));
  return !answer.includes(" ") && question.toLowerCase().includes(start);
}
const ALMOST_WHOLE_SHARE = 0.7;

/** "What does TriviaQA contain? A set of trivia questions": the name reveals the answer. */
export function leaksByName(question: string, answer: string): boolean {
  const names = question
    .split(/[^\p{L}]+/u)
    .filter((word) => /\p{Ll}\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase());
  return lettersOf(answer).some(
    (word) => word.length >= MIN_START_CHARS && names.some((name) => name.startsWith(word)),
  );
}

/** "A blight of elms" reveals "elm blight". */
export function leaksWord(question: string, answer: string): boolean {
  const questionWords = new Set(wordsOf(question.toLowerCase()));
  return wordsOf(answer.toLowerCase()).some(
    (word) => word.length >= MIN_WORD_CHARS && !isGeneralWord(singular(word)) && questionWords.has(word),
  );
}

/** "A poly-room house" reveals "polyhouse". */
export const leaksByOpening = (question: string, answer: string) =>
  wordsOf(question.toLowerCase().replaceAll("-", " ")).some(
    (word) => word.length >= MIN_PART_CHARS && !isGeneralWord(singular(word)) && answer.toLowerCase().startsWith(word),
  );

/** "Because it is “fixed”, it is called ____" reveals "fixation". */
export function leaksByQuotation(question: string, answer: string): boolean {
  const quoted = [...question.matchAll(/[“"](\p{L}{4,})[”"]/gu)].map(([, word = ""]) => word.slice(0, MIN_WORD_CHARS));
  return wordsOf(answer).some((word) => quoted.some((start) => word.toLowerCase().startsWith(start.toLowerCase())));
}

/** "____, the study of microboats" reveals the start of "Microlampology". */
export function leaksByApposition(question: string, answer: string): boolean {
  const apposition = /____, ([^,]+),/.exec(question)?.[1] ?? "";
  const start = answer.toLowerCase().slice(0, MIN_START_CHARS);
  return !answer.includes(" ") && lettersOf(apposition).some((word) => word.startsWith(start));
}

/** "____ is ruled by the rho lamp" reveals "Rho-led night". */
export function leaksCompoundPart(question: string, answer: string): boolean {
  const questionWords = new Set(lettersOf(question));
  const parts = answer.split(" ").flatMap((word) => (word.includes("-") ? word.toLowerCase().split("-") : []));
  return parts.some((part) => part.length >= MIN_WORD_CHARS && !isGeneralWord(part) && questionWords.has(part));
}
