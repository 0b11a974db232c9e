import type { CardText } from "./ranked-candidates.ts";
import { OTHER_STYLES, type OtherSign, type OtherStyle } from "../generate/language-patterns.ts";
import type { PhraseFacts } from "../source/phrase-facts.ts";
import { termFeaturesOf, termLikelihood } from "./term-likelihood.ts";
import learned from "./other-language-weights.json" with { type: "json" };

export interface OtherLanguageCard extends CardText {
  style: OtherStyle;
  signs: readonly OtherSign[];
  /** How the source uses the phrase that the card asks for or about. */
  facts: PhraseFacts;
}

const flag = (isSet: boolean) => (isSet ? 1 : 0);
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Features by name, from 0 to 1. They do not depend on the words of any language. */
export function otherLanguageFeatures({ style, signs, facts, question, answer }: OtherLanguageCard) {
  const { once = 0, inHeading = 0, oneWord = 0, commonest = 0, marked = 0 } = termFeaturesOf(facts);
  const isBlank = style === "blank" || style === "name";
  const answerWords = wordsOf(answer).length;
  const isDefinite = signs.includes("answer_definite");
  return {
    ...Object.fromEntries(OTHER_STYLES.map((name) => [`style_${name}`, flag(name === style)])),
    likelihood: termLikelihood(facts),
    once,
    oneWord,
    commonest,
    introduced: Math.max(inHeading, marked),
    firstMention: flag(signs.includes("first_mention")),
    opensPassage: flag(signs.includes("opens_passage")),
    addressesReader: flag(signs.includes("speaks_to_reader")),
    bracketsLeftOut: flag(signs.includes("brackets_left_out")),
    manyWords: flag(facts.words > 2),
    asksWhich: flag(signs.includes("answer_relative")),
    definitePlain: flag(isDefinite && !signs.includes("answer_relative")),
    definiteBoth: flag(isDefinite && signs.includes("subject_definite")),
    shortAnswer: flag(!isBlank && answerWords < 7),
    longAnswer: flag(answerWords > 16),
    comma: flag(!isBlank && answer.includes(",")),
    longContext: flag(isBlank && wordsOf(question).length > 20),
  } satisfies Record<string, number>;
}

const weights = new Map<string, number>(Object.entries(learned.weights));

/**
 * The probability that a strict reader keeps a card in another language, learnt from
 * `bench/card-ranker/other-languages.jsonl`.
 */
export function otherLanguageProbability(card: OtherLanguageCard): number {
  let sum = learned.bias;
  for (const [name, value] of Object.entries(otherLanguageFeatures(card))) sum += value * (weights.get(name) ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
