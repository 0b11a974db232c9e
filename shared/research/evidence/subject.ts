import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { isStopWord, wordsOf } from "#shared/text/words.ts";

/** A word that weighs less than this share of the most common word is not the subject. */
const MIN_COMMON = 0.34;
/** Fewer texts say nothing about what is common. */
const MIN_TEXTS = 4;

/**
 * The words of a question that name its subject, by what the texts found for it share: "tessal moth" of "How does the
 * Tessal moth find its food?". All of its words where too little was found.
 */
export function subjectWords(question: string, texts: readonly string[]): string[] {
  const words = [...new Set(wordsOf(contentQuery(question)).filter((word) => !isStopWord(word)))];
  if (texts.length < MIN_TEXTS) return words;
  const counts = new Map(words.map((word) => [word, 0]));
  for (const text of texts) {
    const terms = new Set(searchTerms(text));
    const held = words.filter((word) => searchTerms(word).some((term) => terms.has(term)));
    // Texts that hold more of the question say more about its subject.
    for (const word of held) counts.set(word, (counts.get(word) ?? 0) + (held.length / words.length) ** 2);
  }
  const most = Math.max(...counts.values());
  return most === 0 ? words : words.filter((word) => (counts.get(word) ?? 0) >= most * MIN_COMMON);
}
