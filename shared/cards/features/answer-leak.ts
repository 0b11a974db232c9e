import { isGeneralWord } from "../source/terms.ts";
import { singular, wordsOf } from "#shared/text/words.ts";

/** The lower-case runs of letters; "" at an end that isn't a letter. */
const lettersOf = (text: string) => text.toLowerCase().split(/[^\p{L}]+/u);

/** A question word that starts with this much of an answer word reveals it. */
const startOf = (word: string) => word.slice(0, Math.max(LEAST_START, Math.ceil(word.length * SAME_START)));
const LEAST_START = 5;
const SAME_START = 0.5;

/** "The zygomycetes belong to the ____ (Zygomycota)": words next to the blank reveal the start of each answer word. */
export function leaksByPrefix(question: string, answer: string): boolean {
  const questionWords = lettersOf(question);
  return lettersOf(answer).every((word) => word.length >= LEAST_START && isWordLeaked(questionWords, word));
}

/** "Dropping out" reveals "dropout", "Var" reveals "variance". */
function isWordLeaked(questionWords: readonly string[], word: string): boolean {
  const start = startOf(word);
  const isPart = (other: string) =>
    (other.length >= LEAST_PART && word.endsWith(other)) || (other.length >= SHORTEST && word.startsWith(other));
  return questionWords.some((other, i) => {
    if (other.startsWith(start) || (!isGeneralWord(other) && isPart(other))) return true;
    const next = questionWords[i + 1] ?? "";
    return (
      other.length >= LEAST_PART &&
      next.length > 1 &&
      word.startsWith(other.slice(0, LEAST_PART)) &&
      word.endsWith(next)
    );
  });
}
const LEAST_PART = 4;
const SHORTEST = 3;

/** "What do cell keepers keep? The cells": half of a short answer is in the question. */
export function leaksHalf(question: string, answer: string): boolean {
  const words = lettersOf(answer).filter((word) => word.length >= LEAST_START && !isGeneralWord(word));
  const questionWords = lettersOf(question);
  const leakedCount = words.map(startOf).filter((start) => questionWords.some((word) => word.startsWith(start))).length;
  return words.length > 0 && wordsOf(answer).length <= SHORT && leakedCount * 2 >= words.length;
}
const SHORT = 4;

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
  return lettersOf(answer).some((word) => word.length >= LEAST_START && names.some((name) => name.startsWith(word)));
}

/** "A blight of elms" reveals "elm blight". */
export function leaksWord(question: string, answer: string): boolean {
  const questionWords = new Set(wordsOf(question.toLowerCase()));
  return wordsOf(answer.toLowerCase()).some(
    (word) => word.length >= SHORTEST && !isGeneralWord(singular(word)) && questionWords.has(word),
  );
}

/** "A poly-room house" reveals "polyhouse". */
export const leaksByOpening = (question: string, answer: string) =>
  wordsOf(question.toLowerCase().replaceAll("-", " ")).some(
    (word) => word.length >= LEAST_PART && !isGeneralWord(singular(word)) && answer.toLowerCase().startsWith(word),
  );

/** "Because it is “fixed”, it is called ____" reveals "fixation". */
export function leaksByQuotation(question: string, answer: string): boolean {
  const quoted = [...question.matchAll(/[“"](\p{L}{4,})[”"]/gu)].map(([, word = ""]) => word.slice(0, SHORTEST));
  return wordsOf(answer).some((word) => quoted.some((start) => word.toLowerCase().startsWith(start.toLowerCase())));
}

/** "____, the study of microboats" reveals the start of "Microlampology". */
export function leaksByApposition(question: string, answer: string): boolean {
  const apposition = /____, ([^,]+),/.exec(question)?.[1] ?? "";
  const start = answer.toLowerCase().slice(0, LEAST_START);
  return !answer.includes(" ") && lettersOf(apposition).some((word) => word.startsWith(start));
}

/** "____ is ruled by the rho lamp" reveals "Rho-led night". */
export function leaksCompoundPart(question: string, answer: string): boolean {
  const questionWords = new Set(lettersOf(question));
  const parts = answer.split(" ").flatMap((word) => (word.includes("-") ? word.toLowerCase().split("-") : []));
  return parts.some((part) => part.length >= SHORTEST && !isGeneralWord(part) && questionWords.has(part));
}
