import { BLANK } from "../schema.ts";
import type { PhraseFacts } from "../source/phrase-facts.ts";
import type { CardText } from "./ranked-candidates.ts";
import learned from "./term-weights.json" with { type: "json" };

const flag = (isSet: boolean) => (isSet ? 1 : 0);
const capped = (value: number, most: number) => Math.min(1, value / most);

/** The facts as numbers from 0 to 1, by name. */
export const termFeaturesOf = (facts: PhraseFacts): Record<string, number> => ({
  once: flag(facts.count <= 1 && facts.isInShortSource !== true),
  count: capped(Math.log2(1 + facts.count), 6),
  spread: facts.passages / Math.max(1, facts.count),
  heading: flag(facts.isHeading),
  inHeading: flag(facts.inHeading),
  marked: flag(facts.isMarked),
  label: flag(facts.isLabel),
  opens: facts.opens,
  capital: facts.capital,
  oneWord: flag(facts.words === 1),
  twoWords: flag(facts.words === 2),
  manyWords: flag(facts.words > 3),
  rarest: facts.rarest,
  commonest: facts.commonest,
  opensSmall: flag(facts.opensSmall),
  endsSmall: flag(facts.endsSmall),
  mixed: flag(facts.isMixed),
  longest: capped(facts.longest, 14),
  short: flag(facts.longest < 4),
});

const weights = new Map<string, number>(Object.entries(learned.weights));

/**
 * The probability that the author would put a phrase in a glossary, learnt from glossaries and indexes
 * (`scripts/cards/term-judge.ts`).
 */
export function termLikelihood(facts: PhraseFacts): number {
  let sum = learned.bias;
  for (const [name, value] of Object.entries(termFeaturesOf(facts))) sum += value * (weights.get(name) ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

const MIN_LABELS = 10;
const LABEL_SHARE = 0.8;

/** "Beamer-Color" before each paragraph of a manual is a label of the layout, not a term. */
export const isRepeatedLabel = ({ count, opens }: PhraseFacts): boolean => count >= MIN_LABELS && opens >= LABEL_SHARE;

const MIN_RECURRENCES = 40;
const CAPITAL_SHARE = 0.6;

/** "Memcheck" in a manual of Memcheck: a name that recurs everywhere, so a blank for it can be guessed. */
export const isRecurringName = ({ count, capital }: PhraseFacts): boolean =>
  count >= MIN_RECURRENCES && capital >= CAPITAL_SHARE;

const ARTICLE =
  /^(?:the|an?|der|die|das|eine?|les?|la|l[’']|une?|des|el|los|las|una?|os?|as?|uma?|il|lo|gli|i|uno) ?(?<=[ ’'])/iu;
const WHAT_IS_QUESTION =
  /^(?:(?:what (?:is|are|does)|was (?:ist|sind)|que sont|¿qué (?:es|son)|o que (?:é|são)) |qu[’']est-ce qu(?:e |[’']))(.+?)(?: refer to| mean| stand for)? ?\?$/iu;
const MAX_ASKED_WORDS = 4;

/** The phrase that a card asks for (a blank or a short answer) or about ("What is X?"), without its article. */
export function phraseAskedBy({ question, answer }: CardText): string | undefined {
  const bare = question.replace(/^[^:?_]{2,60}: /, "");
  const isAnswer = question.includes(BLANK) || answer.split(" ").length <= MAX_ASKED_WORDS;
  const phrase = isAnswer ? answer : WHAT_IS_QUESTION.exec(bare)?.[1];
  const plain = phrase?.replace(ARTICLE, "").trim();
  return plain === "" ? undefined : plain;
}
