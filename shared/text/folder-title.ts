import { contentStems, isStopWord } from "./words.ts";

const MAX_WORDS = 3;
/** Words for a kind of document rather than a subject. */
const KINDS =
  /^(?:untitled|lecture|lectures|chapter|chapters|notes?|unit|week|part|section|slides?|homework|exam|file|copy|pdf|docx?|pptx?|final|draft)$/i;

const capital = (word: string) => (word[0]?.toLocaleUpperCase() ?? "") + word.slice(1);

interface Counted {
  face: string;
  titles: number;
  first: number;
}

function countWords(titles: readonly string[]): Counted[] {
  const counts = new Map<string, Counted>();
  for (const title of titles) {
    const seen = new Set<string>();
    for (const word of title.replace(/\.\w{2,4}$/u, "").match(/\p{L}[\p{L}\p{M}\p{N}'’-]*/gu) ?? []) {
      const key = contentStems(word)[0] ?? word.toLocaleLowerCase();
      if (seen.has(key) || KINDS.test(word) || isStopWord(word.toLocaleLowerCase())) continue;
      seen.add(key);
      const titleWords = counts.get(key) ?? { face: word, titles: 0, first: counts.size };
      counts.set(key, { ...titleWords, titles: titleWords.titles + 1 });
    }
  }
  return [...counts.values()];
}

/**
 * A title for things in one folder: the words that several of their titles share, else their first words. Every word
 * comes from the titles; "" if they have none.
 */
export function proposeFolderTitle(titles: readonly string[]): string {
  const counted = countWords(titles).toSorted((a, b) => b.titles - a.titles || a.first - b.first);
  const shared = counted.filter(({ titles: n }) => n > 1).slice(0, MAX_WORDS);
  const chosen = shared.length > 0 ? shared : counted.slice(0, titles.length === 1 ? MAX_WORDS : 2);
  const words = chosen.toSorted((a, b) => a.first - b.first).map(({ face: wordForm }) => capital(wordForm));
  return shared.length > 0 || titles.length === 1 ? words.join(" ") : words.join(" and ");
}
