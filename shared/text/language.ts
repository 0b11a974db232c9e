import { isStopWord } from "./words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const SAMPLE_WORDS = 1500;
const PASSAGE_CHARS = 1500;
/** With fewer words the language is uncertain. */
const MIN_WORDS = 12;

/** Formulas, names in code and addresses, which are the same in every language. */
const NO_LANGUAGE = /\$[^$\n]{1,300}\$|\S*[_{}\\<>=/@]\S*|\b\w+\([^()]{0,60}\)/gu;
const IGNORED_KINDS = new Set<Passage["kind"]>(["code", "running_head", "caption", "table_row"]);

const proseWords = ({ text }: Passage) =>
  text
    .slice(0, PASSAGE_CHARS)
    .replace(NO_LANGUAGE, " ")
    .toLowerCase()
    .match(/\p{L}+/gu) ?? [];

/** English by its letters and by the share of its stop words. */
function areEnglish(words: readonly string[], minStopWordShare: number): boolean {
  const latin = words.filter((w) => /^[a-z]+$/.test(w));
  const small = latin.filter((w) => w.length > 1 && isStopWord(w)).length;
  return latin.length > words.length * 0.7 && small >= words.length * minStopWordShare;
}

/** Recognises English by its stop words: at least a seventh of the words outside code and formulas. */
export function isEnglish(passages: readonly Passage[]): boolean {
  const words: string[] = [];
  for (const passage of passages) {
    if (words.length > SAMPLE_WORDS) break;
    if (!IGNORED_KINDS.has(passage.kind)) words.push(...proseWords(passage));
  }
  if (words.length === 0) for (const passage of passages.slice(0, 40)) words.push(...proseWords(passage));
  if (words.length === 0) return false;
  // Lists of terms have few stop words; then Latin letters are enough.
  return areEnglish(words, words.length < 40 ? 0.06 : 0.14);
}

/** With fewer words, "in" and "was", which other languages have too, may be a quarter of a sentence. */
const MIN_CLEAR_WORDS = 18;

/**
 * Whether a passage in a source of another language is certainly English: long, with stop words for a quarter of its
 * words.
 */
export function isClearlyEnglish(passage: Passage): boolean {
  const words = proseWords(passage);
  return words.length >= MIN_CLEAR_WORDS && areEnglish(words, 0.25);
}

/** The passages of a source in English or too short to tell, and those in other languages. */
export function splitByLanguage(passages: readonly Passage[]): { english: Passage[]; other: Passage[] } {
  const english: Passage[] = [];
  const other: Passage[] = [];
  for (const passage of passages) {
    const words = IGNORED_KINDS.has(passage.kind) || passage.kind === "heading" ? [] : proseWords(passage);
    const isOther = words.length >= MIN_WORDS && !areEnglish(words, 0.1);
    (isOther ? other : english).push(passage);
  }
  return { english, other };
}
