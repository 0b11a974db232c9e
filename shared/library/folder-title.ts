import { contentStems, isStopWord } from "#shared/text/words.ts";

const MAX_WORDS = 3;
/** Words for a kind of document rather than a subject. */
const KINDS =
  /^(?:untitled|lecture|lectures|chapter|chapters|notes?|unit|week|part|section|slides?|homework|exam|file|copy|pdf|docx?|pptx?|final|draft)$/i;

const capitalise = (word: string) => (word[0]?.toLocaleUpperCase() ?? "") + word.slice(1);

interface WordCount {
  spelling: string;
  titles: number;
  first: number;
}

function countWords(titles: readonly string[]): WordCount[] {
  const counts = new Map<string, WordCount>();
  for (const title of titles) {
    const seen = new Set<string>();
    for (const word of title.replace(/\.\w{2,4}$/u, "").match(/\p{L}[\p{L}\p{M}\p{N}'’-]*/gu) ?? []) {
      const key = contentStems(word)[0] ?? word.toLocaleLowerCase();
      if (seen.has(key) || KINDS.test(word) || isStopWord(word.toLocaleLowerCase())) continue;
      seen.add(key);
      const known = counts.get(key) ?? { spelling: word, titles: 0, first: counts.size };
      counts.set(key, { ...known, titles: known.titles + 1 });
    }
  }
  return [...counts.values()];
}

/**
 * A title for a folder, made of words from the titles of its items: the words that several titles share, or else their
 * first words. "" if the titles have no words.
 */
export function proposeFolderTitle(titles: readonly string[]): string {
  const counted = countWords(titles).toSorted((a, b) => b.titles - a.titles || a.first - b.first);
  const shared = counted.filter(({ titles: n }) => n > 1).slice(0, MAX_WORDS);
  const chosen = shared.length > 0 ? shared : counted.slice(0, titles.length === 1 ? MAX_WORDS : 2);
  const words = chosen.toSorted((a, b) => a.first - b.first).map(({ spelling }) => capitalise(spelling));
  return shared.length > 0 || titles.length === 1 ? words.join(" ") : words.join(" and ");
}
