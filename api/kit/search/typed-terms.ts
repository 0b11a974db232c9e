import { searchTerms } from "#shared/engine/search-terms.ts";

/** Words that an index knows, asked by how they are written. */
export interface KnownWords {
  /** Terms that begin so, the commonest first, at most so many. */
  beginning(start: string, most: number): Promise<readonly string[]> | readonly string[];
}

const MAX_ENDINGS = 24;
const MAX_COMPARED = 4_000;
const MAX_NEAR = 6;
/** Words that short are not guessed at: another letter is another word. */
const MIN_GUESSED = 4;
const LAST_WORD = /[\p{L}\p{N}]+$/u;

const bare = (word: string) =>
  word
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

/** The word that is still being written, if one is: a space after it ends it. */
const unfinished = (text: string) => bare(LAST_WORD.exec(text)?.[0] ?? "");

export interface TypedTerms {
  whole: string[];
  /** What the last word may become; the whole words count before these. */
  endings: string[];
}

/** The terms of what was typed so far. */
export async function typedTerms(text: string, words: KnownWords): Promise<TypedTerms> {
  const last = unfinished(text);
  const whole = [...new Set(searchTerms(text))];
  const endings = last === "" ? [] : await words.beginning(last, MAX_ENDINGS);
  return { whole, endings: endings.filter((one) => !whole.includes(one)) };
}

/** Terms that are written nearly so: what is tried where nothing holds the words as they were typed. */
export async function nearTerms(text: string, words: KnownWords): Promise<string[]> {
  const near: string[] = [];
  for (const term of new Set([...searchTerms(text), unfinished(text)])) {
    if (term.length < MIN_GUESSED) continue;
    const errors = term.length > 7 ? 2 : 1;
    const known = await words.beginning(term.charAt(0), MAX_COMPARED);
    const close = known
      .filter((one) => Math.abs(one.length - term.length) <= errors)
      .map((one) => ({ one, apart: lettersApart(term, one, errors) }))
      .filter(({ apart }) => apart <= errors)
      .toSorted((a, b) => a.apart - b.apart);
    near.push(...close.slice(0, MAX_NEAR).map(({ one }) => one));
    // An ending that its stem does not have yet: "runni" is on its way to "running", which is kept as "run".
    if (close.length === 0) near.push(...[1, 2, 3].map((cut) => term.slice(0, -cut)).filter((one) => one.length >= 3));
  }
  return [...new Set(near)];
}

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

/**
 * Letters put in, left out, changed or swapped with their neighbour between two words (Damerau's distance in its
 * restricted form); anything above `most` is answered as `most + 1`.
 */
export function lettersApart(a: string, b: string, most: number): number {
  let rows: Rows = { before: [], last: Array.from({ length: b.length + 1 }, (_, at) => at) };
  for (let i = 1; i <= a.length; i += 1) {
    const row = rowOf(a, b, i, rows);
    if (Math.min(...row) > most) return most + 1;
    rows = { before: rows.last, last: row };
  }
  return Math.min(rows.last[b.length] ?? 0, most + 1);
}
