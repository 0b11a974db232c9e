import { tagSentence } from "#shared/text/tagging.ts";
import { isNominal } from "#shared/text/tokens.ts";

const COMPARES: readonly RegExp[] = [
  /\b(?:difference|differences|distinction)\s+between\s+(.+?)\s+and\s+(.+?)[?.]*$/iu,
  /\bcompare\s+(.+?)\s+(?:and|with|to)\s+(.+?)[?.]*$/iu,
  /\bhow\s+(?:do|does|did|are|is)\s+(.+?)\s+(?:differ|different)\s+from\s+(.+?)[?.]*$/iu,
  /\bhow\s+(?:do|does|did)\s+(.+?)\s+and\s+(.+?)\s+(?:differ|compare)[?.]*$/iu,
  /^(.+?)\s+(?:versus|vs\.?)\s+(.+?)[?.]*$/iu,
  /(?<!\p{L})unterschied(?:e|en)?\s+zwischen\s+(.+?)\s+und\s+(.+?)[?.]*$/iu,
  /(?<!\p{L})vergleiche\s+(.+?)\s+(?:und|mit)\s+(.+?)[?.]*$/iu,
];
/** "How do they differ from …": a pronoun that another part of the question explains. */
const PRONOUN = /^(?:it|they|this|these|those|that|sie|es|diese|dies)$/iu;
const LAST_WORD = /\s(\S+)$/u;

/** "Prokaryotic and eukaryotic cells": the noun of the second thing is also that of the first. */
function withSharedNoun(first: string, second: string): string {
  const [, noun] = LAST_WORD.exec(second) ?? [];
  const isAdjective = tagSentence(first).every((token) => !isNominal(token));
  return noun !== undefined && isAdjective ? `${first} ${noun}` : first;
}

/** The two things that a question compares, as written; undefined if it compares nothing. */
export function comparedThings(question: string): readonly [string, string] | undefined {
  for (const pattern of COMPARES) {
    const [, first, second] = pattern.exec(question) ?? [];
    if (first !== undefined && second !== undefined && !PRONOUN.test(first))
      return [withSharedNoun(first, second), second];
  }
  return undefined;
}
