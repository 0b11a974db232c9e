import { isGeneralWord } from "./terms.ts";
import { singular, wordsOf } from "./words.ts";

/** Its runs of letters in small ones; "" where it begins or ends with something else. */
const lettersOf = (text: string) => text.toLowerCase().split(/[^\p{L}]+/u);

/** So much of a word that another one beginning so tells it. */
const startOf = (word: string) => word.slice(0, Math.max(LEAST_START, Math.ceil(word.length * SAME_START)));
const LEAST_START = 5;
const SAME_START = 0.5;

/** "The zygomycetes belong to the ____ (Zygomycota)", "____ samples TREC (CuratedTREC)": words beside it tell each of its own. */
export function isHinted(question: string, answer: string): boolean {
  const around = lettersOf(question);
  return lettersOf(answer).every((word) => word.length >= LEAST_START && isToldBy(around, word));
}

/** "Dropping out" tells "dropout", "Var" tells "variance". */
function isToldBy(around: readonly string[], word: string): boolean {
  const start = startOf(word);
  const isPart = (other: string) =>
    (other.length >= LEAST_PART && word.endsWith(other)) || (other.length >= SHORTEST && word.startsWith(other));
  return around.some((other, i) => {
    if (other.startsWith(start) || (!isGeneralWord(other) && isPart(other))) return true;
    const next = around[i + 1] ?? "";
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

/** "What do cell keepers keep? The cells": of a short answer half stands in the question. */
export function isHalfTold(question: string, answer: string): boolean {
  const words = lettersOf(answer).filter((word) => word.length >= LEAST_START && !isGeneralWord(word));
  const around = lettersOf(question);
  const told = words.map(startOf).filter((start) => around.some((word) => word.startsWith(start))).length;
  return words.length > 0 && wordsOf(answer).length <= SHORT && told * 2 >= words.length;
}
const SHORT = 4;

/** "How do photosynthetic boats live? By photosynthesis": but for its ending the word stands there. */
export function isToldAlmostWhole(question: string, answer: string): boolean {
  const start = answer.toLowerCase().slice(0, Math.ceil(answer.length * ALMOST_WHOLE));
  return !answer.includes(" ") && question.toLowerCase().includes(start);
}
const ALMOST_WHOLE = 0.7;

/** "What does TriviaQA contain? A set of trivia questions": a name that says it. */
export function isInName(question: string, answer: string): boolean {
  const names = question
    .split(/[^\p{L}]+/u)
    .filter((word) => /\p{Ll}\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase());
  return lettersOf(answer).some((word) => word.length >= LEAST_START && names.some((name) => name.startsWith(word)));
}

/** "A blight of elms" for "elm blight". */
export function holdsWord(question: string, answer: string): boolean {
  const around = new Set(wordsOf(question.toLowerCase()));
  return wordsOf(answer.toLowerCase()).some(
    (word) => word.length >= SHORTEST && !isGeneralWord(singular(word)) && around.has(word),
  );
}

/** "A poly-room house" for "polyhouse". */
export const isBegun = (question: string, answer: string) =>
  wordsOf(question.toLowerCase().replaceAll("-", " ")).some(
    (word) => word.length >= LEAST_PART && !isGeneralWord(singular(word)) && answer.toLowerCase().startsWith(word),
  );

/** "Because it is “fixed”, it is called ____": for "fixation". */
export function isHalfQuoted(question: string, answer: string): boolean {
  const quoted = [...question.matchAll(/[“"](\p{L}{4,})[”"]/gu)].map(([, word = ""]) => word.slice(0, SHORTEST));
  return wordsOf(answer).some((word) => quoted.some((start) => word.toLowerCase().startsWith(start.toLowerCase())));
}

/** "____, the study of microboats,": for "Microlampology" the beginning tells. */
export function isLikeNext(question: string, answer: string): boolean {
  const beside = /____, ([^,]+),/.exec(question)?.[1] ?? "";
  const start = answer.toLowerCase().slice(0, LEAST_START);
  return !answer.includes(" ") && lettersOf(beside).some((word) => word.startsWith(start));
}

/** "____ is ruled by the rho lamp" for "Rho-led night". */
export function isPartTold(question: string, answer: string): boolean {
  const around = new Set(lettersOf(question));
  const parts = answer.split(" ").flatMap((word) => (word.includes("-") ? word.toLowerCase().split("-") : []));
  return parts.some((part) => part.length >= SHORTEST && !isGeneralWord(part) && around.has(part));
}
