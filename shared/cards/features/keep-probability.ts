import type { Candidate } from "../generate/candidates.ts";
import type { Lexicon } from "../source/lexicon.ts";
import type { TermIndex } from "../source/terms.ts";
import type { EngineCard, FormPreference } from "../schema.ts";
import { cardForm } from "./card-form.ts";
import { featuresOf, type RankedText, CANDIDATE_FLAGS, type CandidateFlag } from "./keep-features.ts";
import type { OtherLanguageCard } from "./other-language-features.ts";
import learned from "./keep-weights.json" with { type: "json" };
import type { Ranked } from "./ranked-candidates.ts";
import { phraseAskedBy } from "./term-likelihood.ts";

const weights = new Map<string, number>(Object.entries(learned.weights));

function signsOf(candidate: Candidate, terms: TermIndex): CandidateFlag[] {
  const { fact, termKey, withPrevious, withNext, isFiller, isSparse, isLastResort } = candidate;
  const isSet: Record<CandidateFlag, boolean | undefined> = {
    marked_sentence: fact.emphasised.length > 0,
    marked_term: termKey !== undefined && terms.byKey(termKey)?.isMarked,
    has_term: termKey !== undefined,
    leaning: fact.needsContext,
    example: fact.isExample,
    part: fact.isPart,
    with_previous: withPrevious,
    with_next: withNext,
    filler: isFiller,
    sparse: isSparse,
    last_resort: isLastResort,
  };
  return CANDIDATE_FLAGS.filter((sign) => isSet[sign] === true);
}

/** The ranker's input for a scored candidate. */
export function toRankedText({ candidate, strictScore }: Ranked, { terms, codeShare }: Lexicon): RankedText {
  const { question, answer, style } = candidate;
  return { question, answer, style, score: strictScore, signs: signsOf(candidate, terms), codeShare };
}

/** The ranker's input with phrase facts, which the current weights do not use (`docs/cards.md`). */
export function describeRanked(entry: Ranked, lexicon: Lexicon): RankedText {
  const phrase = phraseAskedBy(entry.candidate);
  const facts = phrase === undefined ? undefined : lexicon.phrases?.factsOf(phrase);
  return { ...toRankedText(entry, lexicon), facts: facts !== undefined && facts.count > 0 ? facts : undefined };
}

/**
 * The probability that a strict reader keeps a card, learnt from judged cards (`bench/card-ranker`) and adjusted to how
 * often the student left earlier cards of this form unchanged.
 */
export function keepProbability(card: RankedText, formPreference: FormPreference = {}): number {
  let sum = learned.bias + (formPreference[cardForm(card.question)] ?? 0);
  for (const [name, value] of Object.entries(featuresOf(card))) sum += value * (weights.get(name) ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Called with each card and the input of its ranker, so that readers' judgements can be recorded with that input. */
export type DescribeCard = (card: EngineCard, rankerInput: RankedText | OtherLanguageCard) => void;
