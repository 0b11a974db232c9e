import { searchTerms } from "#shared/text/search-terms.ts";
import type { TopicHeading } from "../../schema.ts";
import type { EvidenceCandidate, EvidencePassage } from "../candidates.ts";
import type { Phrase } from "../phrases.ts";
import { isLowWeightTerm } from "./low-weight-terms.ts";

/** In a shorter source the subject is in most sentences, so it distinguishes sentences. */
const MIN_SENTENCES = 12;

/**
 * The terms of a question that distinguish no sentence of a source, because the source is about them: "great" and
 * "depression" of "How did the Great Depression affect farmers?" in a chapter with that title. By source, and only where
 * sentences of it have other terms of the question.
 */
export function findSourceTopicTerms(
  candidates: readonly EvidenceCandidate[],
  passages: readonly EvidencePassage[],
  {
    topic,
    queryTerms,
    phrases,
  }: { topic: TopicHeading | null; queryTerms: readonly string[]; phrases: readonly Phrase[] },
): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, ReadonlySet<string>>();
  // Under a heading of ours, a sentence has to name the subject.
  if (topic !== null) return found;
  for (const [source, title] of new Map(passages.map((passage) => [passage.source, passage.title]))) {
    const ofTitle = new Set(searchTerms(title));
    // "Memory" alone is not "long-term memory".
    const isSourceTopic = (term: string) =>
      ofTitle.has(term) &&
      phrases.every(({ terms }) => !terms.includes(term) || terms.every((other) => ofTitle.has(other)));
    const others = queryTerms.filter((term) => !isLowWeightTerm(term) && !isSourceTopic(term));
    const ofSource = candidates.filter((candidate) => candidate.source === source);
    const isAnswered =
      ofSource.length >= MIN_SENTENCES && ofSource.some(({ terms }) => others.some((term) => terms.has(term)));
    if (isAnswered) found.set(source, new Set(queryTerms.filter(isSourceTopic)));
  }
  return found;
}
