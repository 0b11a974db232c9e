import { isAlike, isNegated, isNumber, plain, wordsOf, type Word } from "./words.ts";
import type { Judgement, Verdict } from "./schema.ts";
import { isSwapped } from "./word-order.ts";

/** Share of the words of a longer answer that is needed for "right" and for "partly". */
const ENOUGH = 0.75;
const CLOSE = 0.4;
/** Up to this many words, all of them are needed. */
const FEW = 3;
/** An answer this many times longer than expected lists everything and shows nothing. */
const RAMBLES = 4;

const squeezed = (text: string) => plain(text).replaceAll(/\s+/g, " ").trim();

/**
 * Accepted variants: the whole answer, without its brackets, only the brackets' content, and either side of a slash.
 */
function readings(expected: string): string[] {
  const outside = expected.replaceAll(/\([^()]*\)/g, " ");
  const inside = [...expected.matchAll(/\(([^()]{2,40})\)/g)].map(([, text = ""]) => text);
  const sides = expected.length <= 120 ? expected.split(/\s+\/\s+|\s+or\s+|(?<=\p{L})\/(?=\p{L})/u) : [];
  const all = [expected, outside, ...(outside.trim() === "" ? [] : inside), ...(sides.length > 1 ? sides : [])];
  return [...new Set(all.map((text) => text.trim()).filter(Boolean))];
}

const rank: Record<Verdict, number> = { right: 2, partly: 1, wrong: 0 };

/**
 * Compares a typed answer with the expected one by words. Ignores case, accents, plurals, stop words, typos and most
 * changes of word order; numbers, negation and swapped terms count. Paraphrases are not recognised: the student can
 * overrule the result.
 */
export function gradeText(given: string, expected: string, question = ""): Judgement {
  const said = squeezed(given);
  if (said === "") return { verdict: "wrong", missing: wordsOf(expected).map(({ text }) => text) };
  if (said === squeezed(expected)) return { verdict: "right", missing: [] };
  return readings(expected)
    .map((reading) => gradeReading(given, reading, question))
    .reduce((best, one) => (rank[one.verdict] > rank[best.verdict] ? one : best));
}

function gradeReading(given: string, expected: string, question: string): Judgement {
  if (squeezed(given) === squeezed(expected)) return { verdict: "right", missing: [] };
  const said = wordsOf(given);
  const wanted = needed(expected, question);
  const missing = wanted.filter(({ key }) => !said.some((word) => isAlike(key, word.key)));
  const words = missing.map(({ text }) => text);
  // Only symbols, such as "+": must match exactly.
  if (wanted.length === 0) return { verdict: "wrong", missing: [expected.trim()] };
  const share = 1 - missing.length / wanted.length;
  if (isNegated(given) !== isNegated(expected)) return { verdict: "wrong", missing: words };
  const lacksNumber = missing.some(({ key }) => isNumber(key));
  const rambles = said.length > RAMBLES * Math.max(FEW, wanted.length);
  const suffices = wanted.length <= FEW ? missing.length === 0 : share >= ENOUGH;
  const isWhole = suffices && !lacksNumber && !rambles;
  if (isWhole && !isSwapped(given, expected)) return { verdict: "right", missing: [] };
  return { verdict: share >= CLOSE ? "partly" : "wrong", missing: words };
}

/** The words that an answer needs, without those already in the question. */
function needed(expected: string, question: string): Word[] {
  const asked = new Set(wordsOf(question).map(({ key }) => key));
  const all = [...new Map(wordsOf(expected).map((word) => [word.key, word])).values()];
  const own = all.filter(({ key }) => !asked.has(key));
  return own.length > 0 ? own : all;
}
