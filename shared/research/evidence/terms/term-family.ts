/** Endings that make another kind of word of a stem: "allergy" and "allergic", "recognize" and "recognition". */
const ENDING = /(?:iti|iz|is|ition|ation|ion|ity|iv|ous|ic|al|y)$/u;
/** Shorter stems are shared by words of different meanings: "organ" and "organize". */
const MIN_STEM = 6;

const stemOf = (term: string) => term.replace(ENDING, "");

/** Whether two search terms are the same word as a noun, a verb or an adjective. */
export function isSameFamily(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.slice(0, MIN_STEM) !== b.slice(0, MIN_STEM)) return false;
  const [first, second] = [stemOf(a), stemOf(b)].toSorted((one, other) => one.length - other.length);
  if (first === undefined || second === undefined || first.length < MIN_STEM) return false;
  return second.startsWith(first) && second.length - first.length <= 1;
}

/** The terms of a text, with those of the wanted ones of which it has another form. */
export function withFamilies(terms: readonly string[], wanted: readonly string[]): string[] {
  const held = new Set(terms);
  const others = wanted.filter((term) => term.length >= MIN_STEM && !held.has(term));
  return [...terms, ...others.filter((term) => terms.some((one) => isSameFamily(one, term)))];
}
