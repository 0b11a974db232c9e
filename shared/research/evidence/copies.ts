import { wordsOf } from "#shared/text/words.ts";

const SHINGLE_WORDS = 5;
const MIN_SHARED = 0.8;
/** Shorter texts may share their word runs by chance. */
const MIN_SHINGLES = 8;
const MAX_SHINGLES = 20_000;

/** The runs of five words of a text, for comparing texts. */
export function shinglesOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text);
  const shingles = new Set<string>();
  for (let at = 0; at + SHINGLE_WORDS <= words.length && shingles.size < MAX_SHINGLES; at += 1)
    shingles.add(words.slice(at, at + SHINGLE_WORDS).join(" "));
  return shingles;
}

/** Whether the other text contains almost all of this one: mirrors and reposts count as one source. */
export function isCopyOf(text: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (text.size < MIN_SHINGLES) return false;
  let shared = 0;
  for (const shingle of text) if (other.has(shingle)) shared += 1;
  return shared >= text.size * MIN_SHARED;
}
