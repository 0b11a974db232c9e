import { searchTerms } from "#shared/text/search-terms.ts";
import { allowedTypos, MIN_TYPO_CHARS } from "#shared/library/allowed-typos.ts";
import { editDistance } from "#shared/text/edit-distance.ts";

/** Minimum and maximum length of a term, inclusive. */
export interface Lengths {
  from: number;
  to: number;
}

/** The vocabulary of an index. */
export interface Vocabulary {
  /** At most `max` terms with this prefix, the likeliest first, optionally restricted by length. */
  findByPrefix(start: string, max: number, lengths?: Lengths): Promise<readonly string[]> | readonly string[];
}

const MAX_COMPLETIONS = 10;
const MAX_COMPARED = 20_000;
const MAX_NEAR = 6;
const LAST_WORD = /[\p{L}\p{N}]+$/u;

const normalize = (word: string) =>
  word
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

/** The incomplete last word, if any: a space completes it. */
const findUnfinishedWord = (text: string) => normalize(LAST_WORD.exec(text)?.[0] ?? "");

export interface TypedTerms {
  whole: string[];
  /** Completions of the last word; complete words take precedence. */
  completions: string[];
}

/** The terms of an incomplete query. */
export async function expandTypedTerms(text: string, words: Vocabulary): Promise<TypedTerms> {
  const last = findUnfinishedWord(text);
  const whole = [...new Set(searchTerms(text))];
  const completions = last === "" ? [] : await words.findByPrefix(last, MAX_COMPLETIONS);
  return { whole, completions: completions.filter((term) => !whole.includes(term)) };
}

/** The terms of a query; a term that no text contains is replaced by near terms. */
export async function correctTerms(text: string, words: Vocabulary): Promise<string[]> {
  const corrected = [...new Set(searchTerms(text))].map(async (term) => {
    const exact = await words.findByPrefix(term, 1, { from: term.length, to: term.length });
    return exact.length > 0 ? [term] : findNearTerms(term, words);
  });
  return [...new Set((await Promise.all(corrected)).flat())];
}

/** Terms within a small edit distance, for a query that matches nothing as typed. */
export async function findNearTerms(text: string, words: Vocabulary): Promise<string[]> {
  const similar: string[] = [];
  for (const term of new Set([...searchTerms(text), findUnfinishedWord(text)])) {
    if (term.length < MIN_TYPO_CHARS) continue;
    const errors = allowedTypos(term);
    const lengths = { from: term.length - errors, to: term.length + errors };
    const candidates = await words.findByPrefix(term.charAt(0), MAX_COMPARED, lengths);
    const closest = candidates
      .map((candidate) => ({ candidate, distance: editDistance(term, candidate, errors) }))
      .filter(({ distance }) => distance <= errors)
      .toSorted((a, b) => a.distance - b.distance);
    similar.push(...closest.slice(0, MAX_NEAR).map(({ candidate }) => candidate));
    // An incomplete suffix hides the stem: "runni" becomes "running", which is indexed as "run".
    if (closest.length === 0)
      similar.push(...[1, 2, 3].map((suffixLength) => term.slice(0, -suffixLength)).filter((stem) => stem.length >= 3));
  }
  return [...new Set(similar)];
}
