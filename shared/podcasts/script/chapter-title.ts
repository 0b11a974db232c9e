import type { Spellings } from "./spellings.ts";

/** A heading without the number or letter of its section: "4.2 Datasets", "B. Proofs", "Chapter 3: Cells", "Stage 3: Growth". */
export function stripNumbering(heading: string): string {
  const plain = heading.trim();
  const stripped = plain
    .replace(
      /^(?:chapter|section|part|unit|lecture|appendix|stage|step|module|topic)\s+(?:\d+|[IVX]+|[A-H])\s*[.:–-]\s*/iu,
      "",
    )
    .replace(/^(?:\d+(?:\.\d+)*|[IVX]+\.|[B-H]|[A-H]\.)[.)]?\s+(?=\p{Lu})/u, "")
    .trim();
  return /\p{L}{3}/u.test(stripped) ? stripped : plain;
}

/** Kept in capitals where a heading is set in them. */
const IN_CAPITALS = /^(?:DNA|RNA|USA|US|UK|EU|UN|[IVX]+|.*\d.*)$/u;
const MIN_CAPITALS = 5;

/**
 * A heading in capitals as a sentence: "MEMORY-ENHANCING STRATEGIES" becomes "Memory-enhancing strategies". A name or a
 * short form is written as in the text.
 */
export function lowerCapitals(heading: string, spellings: Spellings): string {
  if (/\p{Ll}/u.test(heading) || (heading.match(/\p{Lu}/gu)?.length ?? 0) < MIN_CAPITALS) return heading;
  return heading
    .replaceAll(/[\p{L}\p{N}]+/gu, (word) => {
      const lower = word.toLowerCase();
      if (IN_CAPITALS.test(word)) return word;
      return spellings.get(lower) ?? lower;
    })
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
