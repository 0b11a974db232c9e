import { isGeneralWord } from "./terms.ts";
import { isNominal, posAt, wordAt, type Token } from "#shared/text/tokens.ts";

const isParticiple = (tokens: readonly Token[], i: number) =>
  posAt(tokens, i) === "VERB" && /(?:ed|en|ing)$/.test(wordAt(tokens, i));

/** "tested and confirmed account": two participles or adjectives before a noun. */
const isCoordination = (tokens: readonly Token[], i: number) =>
  /^(?:,|and|or)$/.test(wordAt(tokens, i)) && /^(?:ADJ|VERB)$/.test(posAt(tokens, i + 1));

const opensExamples = (tokens: readonly Token[], i: number) =>
  wordAt(tokens, i) === "such" && wordAt(tokens, i + 1) === "as";

/** "a small organ that …", "proteins made of …": whether the head of the phrase is a noun. */
export function isNounPhrase(tokens: readonly Token[]): boolean {
  let i = /^(?:DET|NUM)$/.test(posAt(tokens, 0)) ? 1 : 0;
  let last: Token | undefined;
  while (/^(?:ADJ|NOUN|PROPN|NUM|ADV|VERB)$/.test(posAt(tokens, i)) && !opensExamples(tokens, i)) {
    last = tokens[i];
    i++;
    if (isNominal(last) && isParticiple(tokens, i)) break;
    if (isCoordination(tokens, i) && !isNominal(last)) i++;
  }
  return isNominal(last);
}

export const withoutArticle = (tokens: readonly Token[]) =>
  /^(?:a|an|the)$/.test(wordAt(tokens, 0)) ? tokens.slice(1) : [...tokens];

/** The number of words that are specific to a subject. */
export const countContentWords = (tokens: readonly Token[]) =>
  tokens.filter((t) => /^(?:NOUN|PROPN|ADJ|VERB)$/.test(t.pos) && !isGeneralWord(t.lower)).length;

/** "Gas", "genetics": singular despite the ending. */
const SINGULAR_ENDING_IN_S =
  /(?:^|[\s-])(?:\p{L}*gas|lens|bias|atlas|canvas|pancreas|chaos|cosmos|news|diabetes|(?:\p{L}*(?:phys|genet|dynam|energet|kinet|mathemat|econom|linguist)|mechan|opt|acoust|eth|polit)ics)$/iu;
export const isPluralWord = (word: string) => /[^sui]s$|mata$/i.test(word) && !SINGULAR_ENDING_IN_S.test(word);

const PHRASE_BOUNDARY = /^(?:this|these|those|its|their|by|as|through|into|to|from)$/;
const MAX_PHRASE = 12;

/** Goes back over nouns, adjectives, numbers and most prepositions to the start of the noun phrase that ends here. */
export function phraseStart(tokens: readonly Token[], end: number): number {
  let from = end;
  while (from > 0 && end - from < MAX_PHRASE) {
    const isIn =
      /^(?:NOUN|PROPN|ADJ|ADP|NUM|DET)$/.test(posAt(tokens, from - 1)) &&
      !PHRASE_BOUNDARY.test(wordAt(tokens, from - 1));
    if (!isIn) break;
    from--;
    if (/^(?:a|an)$/.test(wordAt(tokens, from)) && posAt(tokens, from - 1) !== "ADP") break;
  }
  while (from < end && posAt(tokens, from) === "ADP") from++;
  return from;
}
