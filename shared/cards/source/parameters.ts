import type { Passage } from "#shared/pdf/schema.ts";

type PassageText = Pick<Passage, "text">;

/** "median(x, dim)", and with a space as manuals print it: "median (x, dim)". */
const SIGNATURE = /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_.]{0,80}( ?)\(([^()]{1,160})\)/gu;
/** "x", "dim = 1", '"opt"', "…". */
const ARGUMENT = /^(?:\.{3}|…|[&*]?["'“”]?([\p{L}_][\p{L}\p{N}_]*)["'“”]?(?: ?= ?\S+)?)$/u;
/** Words in brackets behind a space may also be an aside, so it takes two of them. */
const MIN_SIGNATURES = 2;

/** The names that a source has as arguments in the signatures of functions. */
export function parametersOf(passages: readonly PassageText[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { text } of passages)
    for (const [, space, list = ""] of text.matchAll(SIGNATURE)) {
      const found = list.split(",").map((argument) => ARGUMENT.exec(argument.trim()));
      if (found.includes(null)) continue;
      for (const name of found.flatMap((match) => match?.[1] ?? []))
        counts.set(name, (counts.get(name) ?? 0) + (space === "" ? MIN_SIGNATURES : 1));
    }
  return new Set(
    [...counts]
      .filter(([, count]) => count >= MIN_SIGNATURES)
      .map(([name]) => name)
      .filter(isPlainName),
  );
}

/** "(ATP)" is an abbreviation and "(b)" a point of a list. */
const isPlainName = (name: string) => name.length > 1 && /^[\p{Ll}_]/u.test(name);

const CALL =
  /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_.]{0,80}(?:\([^()]{1,160}\)| \([\p{Ll}_][\p{L}\p{N}_]{0,80}(?:, (?:…|\.{3}|[\p{Ll}_][\p{L}\p{N}_]{0,80}))+\))/gu;
/** Textbooks have at most 0.4, manuals of programs and papers with formulas 2 to 50. */
const MIN_CALLS_PER_1000_WORDS = 2;

/** Whether a source has so many calls of functions that it is about code or formulas. */
export function isFullOfCalls(passages: readonly PassageText[], words: number): boolean {
  const calls = passages.reduce((sum, { text }) => sum + (text.match(CALL)?.length ?? 0), 0);
  return calls * 1000 >= MIN_CALLS_PER_1000_WORDS * words;
}

/** "idPrefix", "max_size": a name of a program's own. */
const IDENTIFIER = /^[\p{Ll}\d]+\p{Lu}[\p{L}\d]*$|^\w+_\w+$/u;

/** Whether a word is the name of a parameter or an option instead of a term. */
export const isParameterName = (word: string, parameters: ReadonlySet<string>): boolean =>
  IDENTIFIER.test(word) || parameters.has(word);
