import { searchTerms } from "#shared/engine/search-terms.ts";
import { errorsIn, lettersApart, MIN_GUESSED } from "#shared/library/letters.ts";

/** Minimum and maximum length of a term, inclusive. */
export interface Lengths {
  from: number;
  to: number;
}

/** The vocabulary of an index. */
export interface KnownWords {
  /** At most `most` terms with this prefix, the likeliest first, optionally restricted by length. */
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

/** The incomplete last word, if any: a space completes it. */
const unfinished = (text: string) => bare(LAST_WORD.exec(text)?.[0] ?? "");

export interface TypedTerms {
  whole: string[];
  /** Completions of the last word; complete words take precedence. */
  endings: string[];
}

/** The terms of an incomplete query. */
export async function typedTerms(text: string, words: KnownWords): Promise<TypedTerms> {
  const last = unfinished(text);
  const whole = [...new Set(searchTerms(text))];
  const endings = last === "" ? [] : await words.beginning(last, MAX_ENDINGS);
  return { whole, endings: endings.filter((one) => !whole.includes(one)) };
}

/** Terms within a small edit distance, for a query that matches nothing as typed. */
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
    // An incomplete suffix hides the stem: "runni" becomes "running", which is indexed as "run".
    if (close.length === 0) near.push(...[1, 2, 3].map((cut) => term.slice(0, -cut)).filter((one) => one.length >= 3));
  }
  return [...new Set(near)];
}
