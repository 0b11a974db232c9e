import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { preferredForm, requiredForm } from "../answer-form.ts";
import type { EvidenceCandidate, EvidencePassage } from "../candidates.ts";
import { hasCue, kindOfQuestion } from "../cues.ts";
import { includesAll, subjectOfQuestion } from "../parse-question-subject.ts";
import { findPhrases, questionTermMatchers } from "../phrases.ts";
import type { TopicHeading } from "../../schema.ts";
import { codesOf } from "../terms/codes.ts";
import { isLowWeightTerm } from "../terms/low-weight-terms.ts";
import { findSourceTopicTerms } from "../terms/source-topic-terms.ts";
import { weighTerms } from "../terms/weigh-terms.ts";
import { namesOf } from "../verify.ts";
import { describePassage, keyOf, matchTerms, type PassageTerms } from "./passage-terms.ts";
import { headingSubject, isBareSubjectQuery, ownSubject } from "./score-subject.ts";

const MIN_MATCH = 0.5;
/** The minimum for a sentence with the required form, such as a number with the counted noun. */
const MIN_MATCH_IN_FORM = 0.35;
/** A sentence with this share of a question's words counts as an answer in any form. */
const ANSWER_MATCH = 0.65;
/** The penalty for each sentence that must be quoted before this one. */
export const PRECEDING_PENALTY = 0.1;
const SCORE_WEIGHT = 0.4;
const CUE_WEIGHT = 0.35;
/** A sentence that begins with the subject is about it; other sentences often only mention it. */
const OPENING_TERMS = 2;
const OPENING_WEIGHT = 0.15;
/** Bonus for figures and names that the question does not contain. */
const SPECIFIC_WEIGHT = 0.1;

export interface Question {
  query: string;
  topic: TopicHeading | null;
  /** For a standard heading: the student's question, whose subject the sentences must contain. */
  about?: string;
}

/** The terms, phrases and subject of a question of the student or of a standard heading. */
function readQuestion({ query, topic, about }: Question, passages: readonly EvidencePassage[]) {
  const queryTerms = [...new Set(searchTerms(contentQuery(query)))];
  const phrases = findPhrases(
    query,
    passages.map(({ text }) => text),
  );
  const contentTerms = queryTerms.filter((term) => !isLowWeightTerm(term));
  const subject = topic === null || about === undefined ? undefined : subjectOfQuestion(about);
  const ofSubject = subject && [subject.head, subject.modifiers].filter((terms) => terms.length > 0);
  const named = ofSubject
    ? ofSubject.map((terms) => (text: string) => includesAll(new Set(searchTerms(text)), terms))
    : questionTermMatchers(queryTerms, phrases);
  return { queryTerms, phrases, contentTerms, subject, named, kind: topic ?? kindOfQuestion(query) };
}

/**
 * If a question contains only its subject, such as "What limits enzymes?", an answer must be of the kind that the
 * question asks for.
 */
const mustBeOfKind = (kind: ReturnType<typeof kindOfQuestion>, query: string, contentTerms: readonly string[]) =>
  kind !== null && kind !== "definition" && isBareSubjectQuery(query, contentTerms);

/** Which form an answer must have, and which one raises its score. */
function readForms(
  query: string,
  {
    isOwn,
    isTopic,
    kind,
    contentTerms,
  }: { isOwn: boolean; isTopic: boolean; kind: ReturnType<typeof kindOfQuestion>; contentTerms: readonly string[] },
) {
  const hasRequired = isOwn ? requiredForm(query) : undefined;
  const hasPreferred = isOwn ? preferredForm(query) : undefined;
  const needsKind = isTopic || (!hasRequired && mustBeOfKind(kind, query, contentTerms));
  return {
    isRequired: hasRequired !== undefined,
    isMet: (text: string, fits: boolean) => (fits || !needsKind) && hasRequired?.(text) !== false,
    isExpected: (text: string, fits: boolean) => fits || hasRequired !== undefined || hasPreferred?.(text) === true,
    // A definition or a comparison is recognised by its form, so other sentences are not accepted.
    acceptsKind: (fits: boolean) => fits || (kind !== "comparison" && kind !== "definition"),
  };
}

/** The candidates that answer a question, with their scores. */
export function scoreCandidates(
  candidates: readonly EvidenceCandidate[],
  passages: readonly EvidencePassage[],
  question: Question,
  codes: readonly string[] = question.topic === null ? codesOf(question.query) : [],
): EvidenceCandidate[] {
  const { query, topic } = question;
  const { queryTerms, phrases, contentTerms, subject, named, kind } = readQuestion(question, passages);
  const weight = weighTerms(candidates, queryTerms, topic);
  const asked = { topic, queryTerms, phrases };
  const sourceTopicTerms = findSourceTopicTerms(candidates, passages, asked);
  const passageTermsByKey = new Map(
    passages.map((passage) => [keyOf(passage), describePassage(passage, asked, sourceTopicTerms)]),
  );
  const naming = contentTerms.length > 0 ? contentTerms : queryTerms;
  const isOwn = topic === null || question.about === undefined;
  const aboutSubject = isOwn && kind !== "comparison" ? ownSubject(query, candidates) : headingSubject(subject);
  const forms = readForms(query, { isOwn, isTopic: topic !== null, kind, contentTerms });
  const isAboutAll = (terms: ReadonlySet<string>) =>
    kind !== "comparison" && contentTerms.length > 1 && contentTerms.every((term) => terms.has(term));
  const total = Math.max(
    Number.EPSILON,
    queryTerms.reduce((sum, term) => sum + weight(term), 0),
  );
  const least = forms.isRequired ? MIN_MATCH_IN_FORM : MIN_MATCH;
  const isNamed = (candidate: EvidenceCandidate, passageTerms: PassageTerms | undefined) =>
    naming.some(
      (term) =>
        (candidate.terms.has(term) || candidate.precedingTerms.has(term)) &&
        passageTerms?.sourceTopicTerms.has(term) !== true,
    ) && codes.every((code) => passageTerms?.terms.has(code) === true);
  // A definition may be in a sentence that begins with something else.
  const scoreSubject = (candidate: EvidenceCandidate, passageTerms: PassageTerms | undefined, fits: boolean) =>
    aboutSubject(candidate, passageTerms ?? { context: new Set(), sourceTopicTerms: new Set() }) ??
    (kind === "definition" && fits ? 0 : undefined);
  return candidates.flatMap((candidate) => {
    const { text } = candidate;
    const passageTerms = passageTermsByKey.get(keyOf(candidate));
    const share = isNamed(candidate, passageTerms)
      ? matchTerms(candidate, passageTerms, { queryTerms, weight }) / total
      : 0;
    const fits = kind !== null && hasCue(text, kind, named);
    if (share < least || !forms.isMet(text, fits)) return [];
    const subjectScore = scoreSubject(candidate, passageTerms, fits);
    if (subjectScore === undefined) return [];
    const score =
      share + scoreForm(candidate, { subjectScore, hasExpectedForm: forms.isExpected(text, fits), queryTerms });
    const isMatch = share >= ANSWER_MATCH;
    return [
      {
        ...candidate,
        score,
        coversAllTerms: isAboutAll(candidate.terms),
        coversQuestionInForm: isMatch && forms.acceptsKind(fits),
        isAnswer: fits || isMatch,
        matchesAnswerKind: fits,
      },
    ];
  });
}

/** The part of a sentence's score that does not come from the words of the question. */
function scoreForm(
  candidate: EvidenceCandidate,
  {
    subjectScore,
    hasExpectedForm,
    queryTerms,
  }: { subjectScore: number; hasExpectedForm: boolean; queryTerms: readonly string[] },
): number {
  return (
    SCORE_WEIGHT * candidate.score +
    (hasExpectedForm ? CUE_WEIGHT : 0) +
    Math.max(subjectScore, opensWith(candidate, queryTerms) ? OPENING_WEIGHT : 0) +
    (isSpecific(candidate.text, queryTerms) ? SPECIFIC_WEIGHT : 0) -
    PRECEDING_PENALTY * candidate.preceding.length
  );
}

const opensWith = ({ terms }: EvidenceCandidate, queryTerms: readonly string[]) =>
  [...terms].slice(0, OPENING_TERMS).some((term) => queryTerms.includes(term));

/**
 * Whether a sentence contains a figure, or a name that is not in the question. Its first word is ignored, because it is
 * always capitalised.
 */
function isSpecific(text: string, queryTerms: readonly string[]): boolean {
  if (/\d/.test(text)) return true;
  const names = namesOf(text.replace(/^\P{L}*\p{L}+/u, ""));
  return names.some((name) => searchTerms(name).some((term) => !queryTerms.includes(term)));
}
