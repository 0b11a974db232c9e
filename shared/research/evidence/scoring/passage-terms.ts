import { searchTerms } from "#shared/text/search-terms.ts";
import type { EvidenceCandidate, EvidencePassage } from "../candidates.ts";
import { hasPhrase, type Phrase } from "../phrases.ts";
import { withOtherForms } from "../terms/same-root.ts";

/** The weight of a word of a phrase in a passage that does not contain the phrase. */
const SPLIT_PHRASE_WEIGHT = 0.35;
/** The weight of a term that is around the sentence but not in it. */
const CONTEXT_WEIGHT = 0.35;
/** The weight of a term that the whole source is about. */
const SOURCE_TOPIC_WEIGHT = 0.8;
/** The weight of a term in the sentences that are quoted before this one. */
const PRECEDING_WEIGHT = 0.75;

export const keyOf = ({ source, passageId }: Pick<EvidencePassage, "source" | "passageId">) => `${source} ${passageId}`;

/** The terms in and around a passage, and those of them that belong to a phrase that is not complete there. */
export function describePassage(
  { source, context, text }: EvidencePassage,
  { phrases, queryTerms }: { phrases: readonly Phrase[]; queryTerms: readonly string[] },
  sourceTopicTerms: ReadonlyMap<number, ReadonlySet<string>>,
) {
  const whole = `${context} ${text}`;
  const missing = phrases.filter((phrase) => !hasPhrase(whole, phrase));
  return {
    terms: new Set(withOtherForms(searchTerms(whole), queryTerms)),
    context: new Set(withOtherForms(searchTerms(context), queryTerms)),
    sourceTopicTerms: sourceTopicTerms.get(source) ?? new Set<string>(),
    splitPhraseTerms: new Set(missing.flatMap((phrase) => phrase.terms)),
  };
}

export type PassageTerms = ReturnType<typeof describePassage>;

/** The share of a question's words in a sentence, in the sentences quoted before it, or around it. */
export function matchTerms(
  { terms, precedingTerms }: EvidenceCandidate,
  passageTerms: PassageTerms | undefined,
  { queryTerms, weight }: { queryTerms: readonly string[]; weight: (term: string) => number },
): number {
  return queryTerms.reduce((sum, term) => {
    const nearby = passageTerms?.terms.has(term) === true ? CONTEXT_WEIGHT : 0;
    const weightOutside =
      passageTerms?.sourceTopicTerms.has(term) === true
        ? SOURCE_TOPIC_WEIGHT
        : precedingTerms.has(term)
          ? PRECEDING_WEIGHT
          : nearby;
    const share = terms.has(term) ? 1 : weightOutside;
    return sum + weight(term) * share * (passageTerms?.splitPhraseTerms.has(term) === true ? SPLIT_PHRASE_WEIGHT : 1);
  }, 0);
}
