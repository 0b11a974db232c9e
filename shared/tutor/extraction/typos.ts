import { allowedTypos, MIN_TYPO_CHARS } from "#shared/library/allowed-typos.ts";
import { editDistance } from "#shared/text/edit-distance.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { isGermanQuestion, isQueryStopWord } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { isStopWord, wordsOf } from "#shared/text/words.ts";

const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu;

/** Typing errors rarely change the first letter, so other words are not compared. */
function nearestWord(word: string, vocabulary: ReadonlyMap<string, readonly string[]>): string | undefined {
  const maxEdits = allowedTypos(word);
  let nearest: { word: string; distance: number } | undefined;
  for (const other of vocabulary.get(word.charAt(0)) ?? []) {
    const distance = editDistance(word, other, maxEdits);
    if (distance <= maxEdits && distance < (nearest?.distance ?? Infinity)) nearest = { word: other, distance };
  }
  return nearest?.word;
}

/** "How fast" asks for a rate, even if the texts have only "fact". */
const ASKS_DEGREE = /\b(?:how|wie)\s+$/iu;

/** Replaces the misspelt words of a question by the nearest words that occur in the texts. */
export function correctTypos(question: string, texts: readonly string[]): string {
  const words = new Set(texts.flatMap(wordsOf).filter((word) => word.length >= MIN_TYPO_CHARS));
  const terms = new Set([...words].flatMap(searchTerms));
  const vocabulary = groupBy([...words], (word) => word.charAt(0));
  return question.replaceAll(WORD, (written, at: number) => {
    const word = written.toLowerCase();
    const isKnown =
      ASKS_DEGREE.test(question.slice(0, at)) ||
      isStopWord(word) ||
      isQueryStopWord(word) ||
      searchTerms(word).some((term) => terms.has(term));
    if (isKnown || word.length < MIN_TYPO_CHARS || /\d/u.test(word)) return written;
    const nearest = nearestWord(word, vocabulary);
    if (nearest === undefined) return written;
    const isCapitalised = written.charAt(0) !== word.charAt(0);
    return isCapitalised ? nearest.charAt(0).toUpperCase() + nearest.slice(1) : nearest;
  });
}

/** Where a question begins; "wat" and "wen" are names elsewhere. */
const BEGIN = String.raw`(?<=^\s*|[,.?!;:]\s*|\b(?:and|but|so|or|know|explain|then)\s)`;

/** How students type the words that begin a question. */
const CHAT_SPELLINGS: readonly [RegExp, string][] = [
  [/\bwhat['’]?s\b/giu, "what is"],
  [new RegExp(String.raw`${BEGIN}wat(?:['’]?s| is| are)\b`, "giu"), "what is"],
  [new RegExp(String.raw`${BEGIN}wat\b`, "giu"), "what"],
  [/\b(?:wht|waht|whta|wath)\b/giu, "what"],
  [new RegExp(String.raw`${BEGIN}wen\b`, "giu"), "when"],
  [/\b(?:whn|wehn)\b/giu, "when"],
  [/\b(?:wher|whre|wheer)\b/giu, "where"],
  [/\b(?:wich|whcih|whihc)\b/giu, "which"],
  [/\b(?:hw|hwo)\b/giu, "how"],
  [/^\s*(?:y|wy)(?=\s+(?:is|are|do|does|did|was|were|can|would|should|dont|doesnt)\b)/giu, "why"],
  [
    /(?<=\b(?:what|how|where|when|why) )(?:deos|dose(?= (?:an?|the|it|this|that|these|those|he|she|they|we|you)\b))\b/giu,
    "does",
  ],
];

/** Before a name: "Wen Jiabao". */
const IS_NAME = /^\p{Lu}\S*\s+\p{Lu}/u;

/** "wats a codon" becomes "what is a codon". In German "wen" is a word. */
export const expandChatSpellings = (question: string): string =>
  isGermanQuestion(question)
    ? question
    : CHAT_SPELLINGS.reduce(
        (text, [spelling, word]) =>
          text.replaceAll(spelling, (found, at: number) => (IS_NAME.test(text.slice(at)) ? found : word)),
        question,
      );
