import { searchTerms } from "#shared/engine/search-terms.ts";
import { errorsIn, lettersApart, MIN_GUESSED } from "#shared/library/letters.ts";

/** Letters that a term may have, both ends included. */
export interface Lengths {
  from: number;
  to: number;
}

/** Words that an index knows, asked by how they are written. */
export interface KnownWords {
  /** Terms that begin so, the likeliest first, at most so many; of these lengths alone where they are named. */
  beginning(start: string, most: number, lengths?: Lengths): Promise<readonly string[]> | readonly string[];
}

const MAX_ENDINGS = 10;
const MAX_COMPARED = 20_000;
const MAX_NEAR = 6;
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
    const errors = errorsIn(term);
    const lengths = { from: term.length - errors, to: term.length + errors };
    const known = await words.beginning(term.charAt(0), MAX_COMPARED, lengths);
    const close = known
      .map((one) => ({ one, apart: lettersApart(term, one, errors) }))
      .filter(({ apart }) => apart <= errors)
      .toSorted((a, b) => a.apart - b.apart);
    near.push(...close.slice(0, MAX_NEAR).map(({ one }) => one));
    // An ending that its stem does not have yet: "runni" is on its way to "running", which is kept as "run".
    if (close.length === 0) near.push(...[1, 2, 3].map((cut) => term.slice(0, -cut)).filter((one) => one.length >= 3));
  }
  return [...new Set(near)];
}
