import type { EvidenceCandidate } from "./candidates.ts";
import { holdsAll, openingTerms, type QuestionSubject, subjectOfQuestion } from "./question-subject.ts";

/** How clearly a sentence is about what is asked about; undefined if it is not. */
type AboutSubject = (
  candidate: EvidenceCandidate,
  around: { context: ReadonlySet<string>; given: ReadonlySet<string> },
) => number | undefined;

const IN_HEADING = -0.1;
const IN_LEAD = 0.2;
const IN_SENTENCE = 0.2;
const IN_OPENING = 0.35;

/**
 * The subject of the student's question has to stand in a sentence, in the one before it that it leans on, or in its
 * heading, unless the whole source is about it.
 */
export function ownSubject(query: string, candidates: readonly EvidenceCandidate[]): AboutSubject {
  const subject = subjectOfQuestion(query);
  const known = (phrase: readonly string[]) => phrase.filter((term) => candidates.some(({ terms }) => terms.has(term)));
  const phrases = [known(subject?.head ?? []), known(subject?.of ?? [])].filter((phrase) => phrase.length > 0);
  if (phrases.length === 0) return () => 0;
  return ({ text, terms, lead, leadTerms }, { context, given }) => {
    const held = phrases.find((phrase) => holdsAll(terms, phrase));
    if (held) return holdsAll(openingTerms(text), held) ? IN_OPENING : IN_SENTENCE;
    if (phrases.some((phrase) => phrase.every((term) => terms.has(term) || leadTerms.has(term)))) return IN_LEAD;
    if (phrases.some((phrase) => phrase.every((term) => terms.has(term) || given.has(term)))) return IN_SENTENCE;
    // The sentences that are taken along have to bring the subject.
    const isNear = (term: string) => terms.has(term) || context.has(term);
    return lead.length === 0 && phrases.some((phrase) => phrase.every(isNear)) ? IN_HEADING : undefined;
  };
}

/** "But it is just one model of memory": stronger than "however", and half a sentence by itself. */
const OPENS_ON_BUT = /^(?:but|yet|still|aber|doch)(?!\p{L})/iu;

/** Scores sentences for a heading that the student did not ask for: they must be about the subject itself. */
export function headingSubject(subject: QuestionSubject | undefined): AboutSubject {
  if (!subject) return () => 0;
  return ({ text, terms, lead, isContrast }) => {
    const phrases = [subject.head, subject.of].filter((phrase) => holdsAll(terms, phrase));
    if (phrases.length === 0 || (lead.length > 0 && !isContrast) || OPENS_ON_BUT.test(text)) return undefined;
    return phrases.some((phrase) => holdsAll(openingTerms(text), phrase)) ? IN_OPENING : undefined;
  };
}

/** Whether a question names nothing but its subject. */
export function isSubjectAlone(query: string, telling: readonly string[]): boolean {
  const subject = subjectOfQuestion(query);
  return subject !== undefined && telling.every((term) => subject.head.includes(term) || subject.of.includes(term));
}
