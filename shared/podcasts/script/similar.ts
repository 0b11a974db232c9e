import { contentStems } from "#shared/text/words.ts";

/** Two sentences that share this part of the shorter one's content words count as the same. */
const SAME_SHARE = 0.88;
/** Sentences with fewer words are not compared, because on one subject they share most of them anyway. */
const MIN_WORDS = 6;
/** A source with fewer sections is too small to tell what is unrelated to it. */
const MIN_SECTIONS = 6;
/**
 * A sentence of which a smaller share of the words occurs elsewhere in the source is an example from another subject.
 */
const MIN_KNOWN_SHARE = 0.3;

interface Rated {
  sentence: string;
  /** Position in the source. */
  at: number;
  /** Higher is better. */
  score: number;
}

/** Removes sentences that repeat another one in almost the same words; the better one stays. */
export function removeNearDuplicates<T extends Rated>(candidates: readonly T[]): T[] {
  const sentencesByStem = new Map<string, number[]>();
  const sizes: number[] = [];
  return candidates
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .filter(({ sentence }) => {
      const stems = new Set(contentStems(sentence));
      const shared = new Map<number, number>();
      for (const one of stems)
        for (const holder of sentencesByStem.get(one) ?? []) shared.set(holder, (shared.get(holder) ?? 0) + 1);
      const isRepeated = [...shared].some(([holder, count]) => {
        const shorter = Math.min(stems.size, sizes[holder] ?? 0);
        return shorter >= MIN_WORDS && count >= shorter * SAME_SHARE;
      });
      if (isRepeated) return false;
      for (const one of stems) sentencesByStem.set(one, [...(sentencesByStem.get(one) ?? []), sizes.length]);
      sizes.push(stems.size);
      return true;
    });
}

/**
 * Returns a function that tests whether a sentence shares words with the rest of its source; other sentences are
 * examples from another subject. `texts` are the texts of the sections.
 */
export function createTopicFilter(texts: readonly string[]): (sentence: string) => boolean {
  if (texts.length < MIN_SECTIONS) return () => true;
  const counts = new Map<string, number>();
  for (const text of texts) for (const one of new Set(contentStems(text))) counts.set(one, (counts.get(one) ?? 0) + 1);
  return (sentence) => {
    const stems = [...new Set(contentStems(sentence))];
    return stems.filter((one) => (counts.get(one) ?? 0) > 1).length >= stems.length * MIN_KNOWN_SHARE;
  };
}
