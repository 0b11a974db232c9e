import { isSameUpToTypos, normaliseWord, contentWordsOf } from "./words.ts";

/** Words between terms that may be in either order: conjunctions and copulas. */
const COMMUTATIVE_WORDS = new Set(
  "and or plus with versus vs is are was were be equals equal same und oder et ou y o".split(" "),
);
/** Longer answers can be phrased in many ways, so their order proves little. */
const MAX_COMPARED_WORDS = 14;

/** The words in order with their comparison keys; only content words have one. */
function readWordOrder(text: string) {
  const keyByWord = new Map(contentWordsOf(text).map(({ text: word, key }) => [normaliseWord(word), key]));
  const all = normaliseWord(text)
    .split(/[^\p{L}\p{N}'’]+/u)
    .filter(Boolean);
  return all.map((word) => ({ word, key: keyByWord.get(word) ?? null }));
}

type OrderedWords = ReturnType<typeof readWordOrder>;

const positionOf = (words: OrderedWords, key: string) => {
  const found = words.flatMap((word, at) => (word.key !== null && isSameUpToTypos(key, word.key) ? [at] : []));
  return found.length === 1 ? (found[0] ?? -1) : -1;
};

const between = (words: OrderedWords, from: number, to: number) => words.slice(from + 1, to).map(({ word }) => word);

/**
 * Whether two terms of the answer are swapped around the same words: "RNA becomes DNA" for "DNA becomes RNA". Other
 * changes of word order are accepted ("the cell's membrane", "the membrane of the cell"), as are lists.
 */
export function isSwapped(typed: string, expected: string): boolean {
  const [typedWords, expectedWords] = [readWordOrder(typed), readWordOrder(expected)];
  if (expectedWords.length > MAX_COMPARED_WORDS || /[,;\n]/.test(expected)) return false;
  const positions = expectedWords.map(({ key }) => (key === null ? -1 : positionOf(typedWords, key)));
  return positions.some((first, at) =>
    positions.some((second, later) => {
      if (later <= at || first === -1 || second === -1 || second >= first) return false;
      const link = between(expectedWords, at, later);
      if (link.length === 0 || link.some((word) => COMMUTATIVE_WORDS.has(word) && link.length === 1)) return false;
      return between(typedWords, second, first).join(" ") === link.join(" ");
    }),
  );
}
