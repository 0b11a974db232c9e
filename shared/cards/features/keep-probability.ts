import type { Candidate } from "../generate/candidates.ts";
import type { Lexicon } from "../source/lexicon.ts";
import type { TermIndex } from "../source/terms.ts";
import type { EngineCard, FormTaste } from "../schema.ts";
import { cardForm } from "./card-form.ts";
import { featuresOf, type RankedText, SIGNS, type Sign } from "./keep-features.ts";
import type { OtherLanguageCard } from "./other-language-features.ts";
import learned from "./keep-weights.json" with { type: "json" };
import type { Ranked } from "./ranked-candidates.ts";
import { phraseAskedBy } from "./term-likelihood.ts";

const weights = new Map<string, number>(Object.entries(learned.weights));

function signsOf(candidate: Candidate, terms: TermIndex): Sign[] {
  const { fact, termKey, withPrevious, withNext, isFiller, isSparse, isLastResort } = candidate;
  const isSet: Record<Sign, boolean | undefined> = {
    marked_sentence: fact.marked.length > 0,
    marked_term: termKey !== undefined && terms.byKey(termKey)?.isMarked,
    has_term: termKey !== undefined,
    leaning: fact.isLeaning,
    example: fact.isExample,
    part: fact.isPart,
    with_previous: withPrevious,
    with_next: withNext,
    filler: isFiller,
    sparse: isSparse,
    last_resort: isLastResort,
  };
  return SIGNS.filter((sign) => isSet[sign] === true);
}

/** What the ranker sees of a scored candidate. */
export function toRankedText({ candidate, strictScore }: Ranked, { terms, codeShare, phrases }: Lexicon): RankedText {
  const { question, answer, style } = candidate;
  const phrase = phraseAskedBy(candidate);
  const found = phrase === undefined ? undefined : phrases?.factsOf(phrase);
  const facts = found !== undefined && found.count > 0 ? found : undefined;
  return { question, answer, style, score: strictScore, signs: signsOf(candidate, terms), codeShare, facts };
}

/**
 * How likely a strict reader keeps a card, learnt from judged cards (`bench/card-ranker`), and from what the student did
 * with earlier ones of its form.
 */
export function keepProbability(card: RankedText, taste: FormTaste = {}): number {
  let sum = learned.bias + (taste[cardForm(card.question)] ?? 0);
  for (const [name, value] of Object.entries(featuresOf(card))) sum += value * (weights.get(name) ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

const described = new WeakMap<EngineCard, RankedText | OtherLanguageCard>();

/** Remembers what a ranker saw of a card, so that marks of readers can be recorded with it (`scripts/card-sample.ts`). */
export const describeCard = (card: EngineCard, text: RankedText): unknown => described.set(card, text);
export const describeOtherCard = (card: EngineCard, text: OtherLanguageCard): unknown => described.set(card, text);
export const descriptionOf = (card: EngineCard): RankedText | OtherLanguageCard | undefined => described.get(card);
