import type { Passage } from "#shared/pdf/schema.ts";
import { isStopWord } from "./words.ts";

/** How a text writes each word inside a sentence, by the word in lower case. */
export type Spellings = ReadonlyMap<string, string>;

const WORD = /(?<![\p{L}\p{N}])\p{L}[\p{L}\p{N}]*/gu;
const FIRST_CAPITAL = /^\p{Lu}(?:\p{Ll}.*)?$/u;
/** The end of the text before a word that is inside a sentence. */
const INSIDE = /[\p{Ll}\p{N}],?\s$/u;

/** "Python", "TCP", "memory": the most usual form of each word; of two equally usual ones, that with a capital. */
export function readSpellings(passages: readonly Pick<Passage, "kind" | "text">[]): Spellings {
  const counts = new Map<string, Map<string, number>>();
  for (const { kind, text } of passages) {
    // Headings may be in capitals as a whole.
    if (kind === "heading" || !/\p{Ll}/u.test(text)) continue;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (FIRST_CAPITAL.test(word) && !INSIDE.test(text.slice(Math.max(0, index - 3), index))) continue;
      const forms = counts.get(word.toLowerCase()) ?? new Map<string, number>();
      counts.set(word.toLowerCase(), forms.set(word, (forms.get(word) ?? 0) + 1));
    }
  }
  return new Map([...counts].map(([lower, forms]) => [lower, mostUsual(forms)]));
}

function mostUsual(forms: ReadonlyMap<string, number>): string {
  const [best] = [...forms].toSorted(
    ([one, count], [other, otherCount]) =>
      otherCount - count || Number(/\p{Lu}/u.test(other)) - Number(/\p{Lu}/u.test(one)),
  );
  return best?.[0] ?? "";
}

/** Stays in capitals in a heading in capitals. */
const IN_CAPITALS = /^(?:DNA|RNA|USA|US|UK|EU|UN|[IVX]+|.*\d.*)$/u;
const MIN_CAPITALS = 5;

/** A heading with letters of a script without capitals, such as Chinese, is not one in capitals. */
const isInCapitals = (heading: string) =>
  !/[\p{Ll}\p{Lo}]/u.test(heading) && (heading.match(/\p{Lu}/gu)?.length ?? 0) >= MIN_CAPITALS;

/**
 * A heading in capitals as a sentence: "MEMORY-ENHANCING STRATEGIES" becomes "Memory-enhancing strategies". A name or a
 * short form is written as in the text.
 */
export function lowerCapitals(heading: string, spellings: Spellings): string {
  if (!isInCapitals(heading)) return heading;
  return heading
    .replaceAll(/[\p{L}\p{N}]+/gu, (word) => {
      const lower = word.toLowerCase();
      if (IN_CAPITALS.test(word)) return word;
      return spellings.get(lower) ?? lower;
    })
    .replace(/^\P{L}*\p{Ll}/u, (start) => start.toUpperCase());
}

const isKnown = (word: string, spellings: Spellings) =>
  IN_CAPITALS.test(word) || spellings.has(word.toLowerCase()) || isStopWord(word.toLowerCase());

/**
 * Rewrites headings in capitals as sentences, with the spelling that the source's text uses. A heading with a word that the
 * text does not contain is unchanged: the word may be a name, a short form or a German noun.
 */
export function headingWriter(passages: readonly Pick<Passage, "kind" | "text">[]): (heading: string) => string {
  let known: Spellings | undefined;
  return (heading) => {
    if (!isInCapitals(heading)) return heading;
    const spellings = (known ??= readSpellings(passages));
    const words = heading.match(/[\p{L}\p{N}]+/gu) ?? [];
    return words.every((word) => isKnown(word, spellings)) ? lowerCapitals(heading, spellings) : heading;
  };
}
