import { contentQuery, isGermanQuestion } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isStopWord, stem, wordsOf } from "#shared/text/words.ts";
import { isLowWeightTerm } from "./terms/low-weight-terms.ts";

/** Words with one meaning together: "cellular respiration", "crossing over". */
export interface Phrase {
  /** Adjacent stems. */
  stems: readonly string[];
  /** The search terms of the phrase, without particles. */
  terms: readonly string[];
}

/** Particles, which belong to the verb before them: "crossing over" is not "cross reactivity". */
const PARTICLES = new Set(["over", "up", "down", "out", "off"]);
/** The minimum number of texts that must contain two adjacent words. */
const MIN_TEXTS = 2;
/** Of the texts that contain the rarer word, the minimum share that must contain both words next to each other. */
const MIN_COHESION = 0.4;

const stemsOf = (text: string) => wordsOf(text).map(stem);
const keyOf = (stems: readonly string[]) => ` ${stems.join(" ")} `;

function isPartOfPhrase(word: string, isFirst: boolean): boolean {
  if (!isFirst && PARTICLES.has(word)) return true;
  const [term] = searchTerms(contentQuery(word));
  return !isStopWord(word) && term !== undefined && !isLowWeightTerm(term);
}

/** The verbs of a question, which end a phrase: in "How do fungi reproduce?", "fungi reproduce" is not a phrase. */
function verbsOf(question: string): ReadonlySet<string> {
  if (isGermanQuestion(question)) return new Set();
  return new Set(tagSentence(question).flatMap(({ pos, lower }) => (pos === "VERB" ? lower : [])));
}

/** The phrases of a question: adjacent words that are also adjacent in the texts; overlapping ones are joined. */
export function findPhrases(question: string, texts: readonly string[]): Phrase[] {
  const words = wordsOf(question);
  const verbs = verbsOf(question);
  const indexed = texts.map((text) => keyOf(stemsOf(text)));
  const countTexts = (stems: readonly string[]) => indexed.filter((text) => text.includes(keyOf(stems))).length;
  const isJoined = (at: number): boolean => {
    const [first = "", second = ""] = words.slice(at, at + 2);
    if (second === "" || !isPartOfPhrase(first, true) || !isPartOfPhrase(second, false)) return false;
    if (!PARTICLES.has(second) && (verbs.has(first) || verbs.has(second))) return false;
    const [a, b] = [stem(first), stem(second)];
    const together = countTexts([a, b]);
    return together >= MIN_TEXTS && together >= MIN_COHESION * Math.min(countTexts([a]), countTexts([b]));
  };
  const phrases: Phrase[] = [];
  for (let at = 0; at < words.length; at += 1) {
    let end = at;
    while (isJoined(end)) end += 1;
    if (end === at) continue;
    const joined = words.slice(at, end + 1);
    phrases.push({ stems: joined.map(stem), terms: searchTerms(joined.join(" ")) });
    at = end;
  }
  return phrases;
}

/** Whether a text contains the words of a phrase next to each other. */
export const hasPhrase = (text: string, { stems }: Phrase): boolean => keyOf(stemsOf(text)).includes(keyOf(stems));

/** A test for each thing that a question names: its phrases, and its other terms. */
export function questionTermMatchers(
  terms: readonly string[],
  phrases: readonly Phrase[],
): readonly ((text: string) => boolean)[] {
  const inPhrases = new Set(phrases.flatMap((phrase) => phrase.terms));
  const single = terms.filter((term) => !inPhrases.has(term) && !isLowWeightTerm(term));
  return [
    ...phrases.map((phrase) => (text: string) => hasPhrase(text, phrase)),
    ...single.map((term) => (text: string) => searchTerms(text).includes(term)),
  ];
}
