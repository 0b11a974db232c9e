/** The current row and the two above it; reused for every pair of words to avoid allocation. */
let rows: readonly [number[], number[], number[]] = [[], [], []];

/** The distances between `a` and each prefix of `b`; undefined if all of them exceed `most`. */
function prefixDistances(a: string, b: string, most: number): readonly number[] | undefined {
  let [before, last, row] = rows;
  for (let j = 0; j <= b.length; j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    [before, last, row] = i === 1 ? [before, last, row] : [last, row, before];
    if (fillRow(row, { a, b, i, before, last }) > most) return undefined;
  }
  rows = [before, last, row];
  const filled = a.length === 0 ? last : row;
  filled.length = b.length + 1;
  return filled;
}

interface RowInput {
  a: string;
  b: string;
  /** Number of letters of `a` that the row covers. */
  i: number;
  before: readonly number[];
  last: readonly number[];
}

/** Fills in the distances between the first `i` letters of `a` and each prefix of `b`; returns the lowest. */
function fillRow(row: number[], { a, b, i, before, last }: RowInput): number {
  const [letter, letterBefore] = [a.charCodeAt(i - 1), i > 1 ? a.charCodeAt(i - 2) : -1];
  let lowest = i;
  let left = i;
  row[0] = i;
  for (let j = 1; j <= b.length; j += 1) {
    const otherLetter = b.charCodeAt(j - 1);
    let cost = Math.min((last[j] ?? 0) + 1, left + 1, (last[j - 1] ?? 0) + (letter === otherLetter ? 0 : 1));
    // A transposition is one edit.
    if (j > 1 && letterBefore === otherLetter && letter === b.charCodeAt(j - 2))
      cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
    row[j] = cost;
    left = cost;
    if (cost < lowest) lowest = cost;
  }
  return lowest;
}

/**
 * Damerau–Levenshtein distance (optimal string alignment) between two words; anything above `most` is returned as `most
 * + 1`.
 */
export const editDistance = (a: string, b: string, most: number): number =>
  Math.min(prefixDistances(a, b, most)?.[b.length] ?? most + 1, most + 1);

/** Whether the typed text is at most `most` edits away from a word, or from a prefix of about the same length. */
export function matchesPrefix(typed: string, word: string, most: number): boolean {
  if (word.length < typed.length - most) return false;
  const prefix = word.slice(0, typed.length + 1);
  const row = prefixDistances(typed, prefix, most);
  return row !== undefined && row.slice(Math.min(typed.length - 1, prefix.length)).some((distance) => distance <= most);
}
