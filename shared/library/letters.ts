interface Rows {
  before: readonly number[];
  last: readonly number[];
}

/** What the first `i` letters of `a` are apart from each beginning of `b`, from the two rows above. */
function rowOf(a: string, b: string, i: number, { before, last }: Rows): number[] {
  const row = [i];
  for (let j = 1; j <= b.length; j += 1) {
    const change = a[i - 1] === b[j - 1] ? 0 : 1;
    const cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    row.push(isSwap ? Math.min(cost, (before[j - 2] ?? 0) + 1) : cost);
  }
  return row;
}

/** What `a` is apart from each beginning of `b`; undefined where that is more than `most` for all of them. */
function lastRow(a: string, b: string, most: number): readonly number[] | undefined {
  let rows: Rows = { before: [], last: Array.from({ length: b.length + 1 }, (_, at) => at) };
  for (let i = 1; i <= a.length; i += 1) {
    const row = rowOf(a, b, i, rows);
    if (Math.min(...row) > most) return undefined;
    rows = { before: rows.last, last: row };
  }
  return rows.last;
}

/**
 * Letters put in, left out, changed or swapped with their neighbour between two words (Damerau's distance in its
 * restricted form); anything above `most` is answered as `most + 1`.
 */
export const lettersApart = (a: string, b: string, most: number): number =>
  Math.min(lastRow(a, b, most)?.[b.length] ?? most + 1, most + 1);

/** Whether a word, or a beginning of it about as long as what was typed, is at most so many letters apart from that. */
export function beginsNearly(typed: string, word: string, most: number): boolean {
  if (word.length < typed.length - most) return false;
  const begun = word.slice(0, typed.length + 1);
  const row = lastRow(typed, begun, most);
  return row !== undefined && row.slice(Math.min(typed.length - 1, begun.length)).some((apart) => apart <= most);
}

/** Words shorter than this are not guessed at: another letter is another word. */
export const MIN_GUESSED = 4;

/** How many letters of a word may be wrong. */
export const errorsIn = (word: string) => (word.length < MIN_GUESSED ? 0 : word.length > 7 ? 2 : 1);
