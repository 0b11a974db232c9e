import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { isStopWord, wordsOf } from "#shared/text/words.ts";

/** A word with less than this share of the highest weight is not part of the subject. */
const MIN_COMMON = 0.34;
/** Fewer texts are too few to find common words. */
const MIN_TEXTS = 4;

/**
 * The words of a question that name its subject, judged by the words that the found texts share: "tessal moth" in "How
 * does the Tessal moth find its food?". All words of the question if too little was found.
 */
export function subjectWords(question: string, texts: readonly string[]): string[] {
  const words = [...new Set(wordsOf(contentQuery(question)).filter((word) => !isStopWord(word)))];
  if (texts.length < MIN_TEXTS) return words;
  const counts = new Map(words.map((word) => [word, 0]));
  for (const text of texts) {
    const terms = new Set(searchTerms(text));
    const contained = words.filter((word) => searchTerms(word).some((term) => terms.has(term)));
    // Texts with more words of the question count more.
    for (const word of contained) counts.set(word, (counts.get(word) ?? 0) + (contained.length / words.length) ** 2);
  }
  const most = Math.max(...counts.values());
  return most === 0 ? words : words.filter((word) => (counts.get(word) ?? 0) >= most * MIN_COMMON);
}
