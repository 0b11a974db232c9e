import type { EvidenceCandidate } from "../candidates.ts";
import { includesAll, openingTerms, type QuestionSubject, subjectOfQuestion } from "../parse-question-subject.ts";

/** A score for how clearly a sentence is about the subject of the question; undefined if it is not. */
type ScoreSubject = (
  candidate: EvidenceCandidate,
  passageTerms: { context: ReadonlySet<string>; sourceTopicTerms: ReadonlySet<string> },
) => number | undefined;

const IN_HEADING = -0.1;
const IN_PRECEDING = 0.2;
const IN_SENTENCE = 0.2;
const IN_OPENING = 0.35;

/**
 * Scores sentences for a question of the student: its subject must be in the sentence, in the sentences quoted before
 * it, or in its heading, unless the whole source is about it.
 */
export function ownSubject(query: string, candidates: readonly EvidenceCandidate[]): ScoreSubject {
  const subject = subjectOfQuestion(query);
  const known = (phrase: readonly string[]) => phrase.filter((term) => candidates.some(({ terms }) => terms.has(term)));
  const phrases = [known(subject?.head ?? []), known(subject?.modifiers ?? [])].filter((phrase) => phrase.length > 0);
  if (phrases.length === 0) return () => 0;
  return ({ text, terms, preceding, precedingTerms }, { context, sourceTopicTerms }) => {
    const contained = phrases.find((phrase) => includesAll(terms, phrase));
    if (contained) return includesAll(openingTerms(text), contained) ? IN_OPENING : IN_SENTENCE;
    if (phrases.some((phrase) => phrase.every((term) => terms.has(term) || precedingTerms.has(term))))
      return IN_PRECEDING;
    if (phrases.some((phrase) => phrase.every((term) => terms.has(term) || sourceTopicTerms.has(term))))
      return IN_SENTENCE;
    // If sentences are quoted before it, the subject must be in them; a heading is not enough.
    const isNear = (term: string) => terms.has(term) || context.has(term);
    return preceding.length === 0 && phrases.some((phrase) => phrase.every(isNear)) ? IN_HEADING : undefined;
  };
}

/** "But it is just one model of memory": a stronger contrast than "however", and unclear alone. */
const BEGINS_WITH_BUT = /^(?:but|yet|still|aber|doch)(?!\p{L})/iu;

/**
 * Scores sentences for a standard heading, which the student did not ask for: they must contain the subject themselves.
 */
export function headingSubject(subject: QuestionSubject | undefined): ScoreSubject {
  if (!subject) return () => 0;
  return ({ text, terms, preceding, isContrast }) => {
    const phrases = [subject.head, subject.modifiers].filter((phrase) => includesAll(terms, phrase));
    if (phrases.length === 0 || (preceding.length > 0 && !isContrast) || BEGINS_WITH_BUT.test(text)) return undefined;
    return phrases.some((phrase) => includesAll(openingTerms(text), phrase)) ? IN_OPENING : undefined;
  };
}

/** Whether a question contains nothing but its subject. */
export function isBareSubjectQuery(query: string, contentTerms: readonly string[]): boolean {
  const subject = subjectOfQuestion(query);
  return (
    subject !== undefined &&
    contentTerms.every((term) => subject.head.includes(term) || subject.modifiers.includes(term))
  );
}
