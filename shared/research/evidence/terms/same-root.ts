import { searchTerms } from "#shared/text/search-terms.ts";

/**
 * General words with one meaning: a question about costs that "fall" is answered by costs that "decline". Words of a subject
 * are not here, because a text uses them in one meaning only.
 */
const SYNONYMS = [
  "rise increase grow expand climb",
  "fall decline decrease drop shrink diminish",
  "start begin beginning initiate initiation onset",
  "stop end terminate termination cease halt",
  "stop prevent inhibit block suppress",
  "connect join link attach junction connection",
  "neighbour neighbor neighbouring neighboring adjacent nearby",
  "gain benefit profit",
  "lose suffer hurt harm",
  "damage injure harm",
  "kill destroy",
  "break degrade decompose dismantle digest",
  "remove eliminate",
  "keep maintain preserve retain",
  "move transport carry",
  "child kid infant baby",
  "illness disease sickness disorder",
  "buy purchase",
  "rich wealthy affluent",
  "poor impoverished poverty",
  "job work employment occupation",
  "teach educate",
  "require need",
  "important essential crucial vital",
  "danger risk hazard threat",
  "fast rapid quick",
  "change alter modify transform",
  "show demonstrate reveal",
  "eat consume ingest",
].map(searchTerms);

/** Endings that make another kind of word of a stem: "allergy" and "allergic", "recognize" and "recognition". */
const ENDING = /(?:iti|iz|is|ition|ation|ion|ity|iv|ous|ic|al|y)$/u;
/** Shorter stems are shared by words of different meanings: "organ" and "organize". */
const MIN_STEM = 6;

const stemOf = (term: string) => term.replace(ENDING, "");

/** Whether two search terms are the same word as a noun, a verb or an adjective. */
export function isSameRoot(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.slice(0, MIN_STEM) !== b.slice(0, MIN_STEM)) return false;
  const [first, second] = [stemOf(a), stemOf(b)].toSorted((one, other) => one.length - other.length);
  if (first === undefined || second === undefined || first.length < MIN_STEM) return false;
  return second.startsWith(first) && second.length - first.length <= 1;
}

/** Whether the terms of a text include a wanted one, or another form of it. */
export function includesForm(terms: ReadonlySet<string>, wanted: string): boolean {
  if (terms.has(wanted)) return true;
  if (SYNONYMS.some((words) => words.includes(wanted) && words.some((term) => terms.has(term)))) return true;
  if (wanted.length < MIN_STEM) return false;
  const beginning = wanted.slice(0, MIN_STEM);
  // Most terms differ in their first letter, so that a long text takes little time.
  for (const term of terms) if (term.startsWith(beginning) && isSameRoot(term, wanted)) return true;
  return false;
}

/** The terms of a text, with those of the wanted ones of which it has another form. */
export function withOtherForms(terms: readonly string[], wanted: readonly string[]): string[] {
  const own = new Set(terms);
  return [...terms, ...wanted.filter((term) => !own.has(term) && includesForm(own, term))];
}
