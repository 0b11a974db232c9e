import { isSameUpToTypos, isNegated, isNumber, normaliseWord, contentWordsOf, type AnswerWord } from "./words.ts";
import type { Judgement, Verdict } from "./schema.ts";
import { isSwapped } from "./word-order.ts";

/** Share of the words of a longer answer that is needed for "right" and for "partly". */
const RIGHT_SHARE = 0.75;
const PARTLY_SHARE = 0.4;
/** Up to this many words, all of them are needed. */
const MAX_SHORT_ANSWER_WORDS = 3;
/** An answer this many times longer than expected lists everything and shows nothing. */
const MAX_LENGTH_RATIO = 4;

const normalised = (text: string) => normaliseWord(text).replaceAll(/\s+/g, " ").trim();

/**
 * Accepted variants: the whole answer, without its brackets, only the brackets' content, and either side of a slash.
 */
function acceptedVariants(expected: string): string[] {
  const outside = expected.replaceAll(/\([^()]*\)/g, " ");
  const inside = [...expected.matchAll(/\(([^()]{2,40})\)/g)].map(([, text = ""]) => text);
  const sides = expected.length <= 120 ? expected.split(/\s+\/\s+|\s+or\s+|(?<=\p{L})\/(?=\p{L})/u) : [];
  const all = [expected, outside, ...(outside.trim() === "" ? [] : inside), ...(sides.length > 1 ? sides : [])];
  return [...new Set(all.map((text) => text.trim()).filter(Boolean))];
}

const verdictRank: Record<Verdict, number> = { right: 2, partly: 1, wrong: 0 };

/**
 * Compares a typed answer with the expected one by words. Ignores case, accents, plurals, stop words, typos and most
 * changes of word order; numbers, negation and swapped terms count. Paraphrases are not recognised: the student can
 * overrule the result.
 */
export function gradeText(typed: string, expected: string, question = ""): Judgement {
  const typedWords = normalised(typed);
  if (typedWords === "") return { verdict: "wrong", missing: contentWordsOf(expected).map(({ text }) => text) };
  if (typedWords === normalised(expected)) return { verdict: "right", missing: [] };
  return acceptedVariants(expected)
    .map((variant) => gradeVariant(typed, variant, question))
    .reduce((best, one) => (verdictRank[one.verdict] > verdictRank[best.verdict] ? one : best));
}

function gradeVariant(typed: string, expected: string, question: string): Judgement {
  if (normalised(typed) === normalised(expected)) return { verdict: "right", missing: [] };
  const typedWords = contentWordsOf(typed);
  const requiredWords = wordsRequired(expected, question);
  const missing = requiredWords.filter(({ key }) => !typedWords.some((word) => isSameUpToTypos(key, word.key)));
  const words = missing.map(({ text }) => text);
  // Only symbols, such as "+": must match exactly.
  if (requiredWords.length === 0) return { verdict: "wrong", missing: [expected.trim()] };
  const share = 1 - missing.length / requiredWords.length;
  if (isNegated(typed) !== isNegated(expected)) return { verdict: "wrong", missing: words };
  const lacksNumber = missing.some(({ key }) => isNumber(key));
  const isTooLong = typedWords.length > MAX_LENGTH_RATIO * Math.max(MAX_SHORT_ANSWER_WORDS, requiredWords.length);
  const hasEnoughWords = requiredWords.length <= MAX_SHORT_ANSWER_WORDS ? missing.length === 0 : share >= RIGHT_SHARE;
  const isComplete = hasEnoughWords && !lacksNumber && !isTooLong;
  if (isComplete && !isSwapped(typed, expected)) return { verdict: "right", missing: [] };
  return { verdict: share >= PARTLY_SHARE ? "partly" : "wrong", missing: words };
}

/** The words that an answer needs, without those already in the question. */
function wordsRequired(expected: string, question: string): AnswerWord[] {
  const questionWords = new Set(contentWordsOf(question).map(({ key }) => key));
  const all = [...new Map(contentWordsOf(expected).map((word) => [word.key, word])).values()];
  const answerWords = all.filter(({ key }) => !questionWords.has(key));
  return answerWords.length > 0 ? answerWords : all;
}
