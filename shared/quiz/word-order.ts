import { isAlike, plain, wordsOf } from "./words.ts";

/** Words between terms that may be in either order: conjunctions and copulas. */
const EITHER_WAY = new Set(
  "and or plus with versus vs is are was were be equals equal same und oder et ou y o".split(" "),
);
/** Longer answers can be phrased in many ways, so their order proves little. */
const MOST_WORDS = 14;

/** The words in order with their comparison keys; `telling` are the content words. */
function read(text: string) {
  const telling = new Map(wordsOf(text).map(({ text: word, key }) => [plain(word), key]));
  const all = plain(text)
    .split(/[^\p{L}\p{N}'’]+/u)
    .filter(Boolean);
  return all.map((word) => ({ word, key: telling.get(word) ?? null }));
}

type Read = ReturnType<typeof read>;

const placeOf = (words: Read, key: string) => {
  const found = words.flatMap((word, at) => (word.key !== null && isAlike(key, word.key) ? [at] : []));
  return found.length === 1 ? (found[0] ?? -1) : -1;
};

const between = (words: Read, from: number, to: number) => words.slice(from + 1, to).map(({ word }) => word);

/**
 * Whether two terms of the answer are swapped around the same words: "RNA becomes DNA" for "DNA becomes RNA". Other
 * changes of word order are accepted ("the cell's membrane", "the membrane of the cell"), as are lists.
 */
export function isSwapped(given: string, expected: string): boolean {
  const [said, wanted] = [read(given), read(expected)];
  if (wanted.length > MOST_WORDS || /[,;\n]/.test(expected)) return false;
  const places = wanted.map(({ key }) => (key === null ? -1 : placeOf(said, key)));
  return places.some((first, at) =>
    places.some((second, later) => {
      if (later <= at || first === -1 || second === -1 || second >= first) return false;
      const link = between(wanted, at, later);
      if (link.length === 0 || link.some((word) => EITHER_WAY.has(word) && link.length === 1)) return false;
      return between(said, second, first).join(" ") === link.join(" ");
    }),
  );
}
