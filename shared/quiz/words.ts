import { editDistance } from "#shared/text/edit-distance.ts";
import { ENGLISH_NUMBERS } from "#shared/text/number-words.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** Stop words. */
const STOP_WORDS = new Set(
  (
    "a an the of in on at to for by with from as and or is are was were be been being it its this that these those " +
    "there their they them he she his her which who whom what when where how than then so such also can may"
  ).split(" "),
);
const NUMBERS = new Map(ENGLISH_NUMBERS.map((name, value) => [name, String(value)]));
const NEGATIONS = new Set(["not", "no", "never", "none", "neither", "nor", "without", "cannot"]);

/** Text without accents, case and compatibility variants. */
export const normaliseWord = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFKC")
    .toLowerCase();

/** Removes a plural ending. */
function singular(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

export interface AnswerWord {
  /** Normalised for comparison. */
  key: string;
  /** The original spelling. */
  text: string;
}

const isNegation = (word: string) => NEGATIONS.has(word) || /n['’]t$/.test(word);

interface WordAnalysis {
  words: AnswerWord[];
  isNegated: boolean;
}

/** Cache: segmenting a text is expensive, and the answers of a deck are compared with each other repeatedly. */
const cache = new Map<string, WordAnalysis>();
const MAX_CACHE_ENTRIES = 5000;

function analyse(text: string): WordAnalysis {
  const before = cache.get(text);
  if (before) return before;
  const all: AnswerWord[] = [];
  const content: AnswerWord[] = [];
  let negations = 0;
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true) continue;
    const form = normaliseWord(segment);
    const word = { key: NUMBERS.get(form) ?? singular(form), text: segment };
    all.push(word);
    if (isNegation(form)) negations += 1;
    else if (!STOP_WORDS.has(form)) content.push(word);
  }
  const made = { words: content.length > 0 ? content : all, isNegated: negations % 2 === 1 };
  if (cache.size >= MAX_CACHE_ENTRIES) cache.clear();
  cache.set(text, made);
  return made;
}

/** The content words of a text, or all words if there are none. */
export const contentWordsOf = (text: string): readonly AnswerWord[] => analyse(text).words;

/** Whether a text is negated: an even number of negations cancels out. */
export const isNegated = (text: string): boolean => analyse(text).isNegated;

export const isNumber = (word: string): boolean => /^\p{N}/u.test(word);

/** Whether two words are equal up to typos: longer words allow more, numbers none. */
export function isSameUpToTypos(a: string, b: string): boolean {
  if (a === b) return true;
  if (isNumber(a) || isNumber(b)) return false;
  const longer = Math.max(a.length, b.length);
  const allowed = longer < 5 ? 0 : longer < 9 ? 1 : 2;
  return Math.abs(a.length - b.length) <= allowed && editDistance(a, b, allowed) <= allowed;
}
