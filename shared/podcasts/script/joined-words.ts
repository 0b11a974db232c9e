import type { Passage } from "#shared/pdf/schema.ts";

/** Shorter words are rarely two words that lost the space or hyphen between them. */
const MIN_JOINED_CHARS = 10;
/** Shorter parts are often prefixes and endings: "in|sufficient", "care|ful". */
const MIN_PART_CHARS = 4;
/** How often a source must use each part as a word of its own. */
const MIN_USES = 3;

const LONG_WORD = new RegExp(String.raw`(?<![\p{L}'’-])\p{Ll}{${MIN_JOINED_CHARS},}(?![\p{L}'’-])`, "gu");

/**
 * Returns a function that separates words which a PDF joined, in the spoken form of a sentence: "highdimensional" becomes
 * "high dimensional" if the source has the long word once and both parts several times. The sentence itself stays as it
 * is in the source. A real compound such as "nighttime" sounds the same in two parts.
 */
export function createJoinedWordSplitter(passages: readonly Pick<Passage, "text">[]): (spoken: string) => string {
  const uses = new Map<string, number>();
  for (const { text } of passages)
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) uses.set(word, (uses.get(word) ?? 0) + 1);
  const isUsed = (word: string) => (uses.get(word) ?? 0) >= MIN_USES;
  const split = (word: string): string => {
    if ((uses.get(word) ?? 0) > 1) return word;
    for (let at = MIN_PART_CHARS; at <= word.length - MIN_PART_CHARS; at += 1)
      if (isUsed(word.slice(0, at)) && isUsed(word.slice(at))) return `${word.slice(0, at)} ${word.slice(at)}`;
    return word;
  };
  return (spoken) => spoken.replaceAll(LONG_WORD, split);
}
