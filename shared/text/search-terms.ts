import { isStopWord, stem, wordsOf } from "./words.ts";

/** Scripts without spaces between words. Two neighbouring characters count as a word. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const MAX_TERM = 40;

const bare = (word: string) => word.normalize("NFD").replaceAll(/[^\p{L}\p{N}]/gu, "");

function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return [word];
  return characters.slice(1).map((character, at) => `${characters[at] ?? ""}${character}`);
}

/** Search terms of a text: stems without diacritics, with repeats; character pairs in scripts without spaces. */
export function searchTerms(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(text)) {
    if (UNSPACED.test(word)) terms.push(...pairsOf(word));
    else if (!isStopWord(word)) {
      const term = bare(stem(word)).slice(0, MAX_TERM);
      if (term !== "") terms.push(term);
    }
  }
  return terms;
}
