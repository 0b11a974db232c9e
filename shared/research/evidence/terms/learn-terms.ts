import { searchTerms } from "#shared/text/search-terms.ts";
import { wordsOf } from "#shared/text/words.ts";
import type { EvidenceSentence } from "../candidates.ts";

const MAX_LEARNED = 4;
const MIN_TERM_CHARS = 4;

/**
 * Terms that the best sentences share and the question lacks, for a second round of searching. Only letters, so that no
 * address and no figure is sent.
 */
export function learnTerms(sentences: readonly Pick<EvidenceSentence, "text">[], query: string): string[] {
  const known = new Set(searchTerms(query));
  const counts = new Map<string, { word: string; count: number }>();
  for (const { text } of sentences)
    for (const word of new Set(wordsOf(text))) {
      const [term] = searchTerms(word);
      if (term === undefined || known.has(term) || word.length < MIN_TERM_CHARS || !/^\p{L}+$/u.test(word)) continue;
      counts.set(term, { word, count: (counts.get(term)?.count ?? 0) + 1 });
    }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_LEARNED)
    .map(({ word }) => word);
}
