import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import type { TopicHeading } from "../schema.ts";
import { headingSubject, isBareSubjectQuery, ownSubject } from "./about-subject.ts";
import { requiredForm, preferredForm } from "./answer-form.ts";
import {
  type EvidenceCandidate,
  type EvidencePassage,
  type EvidenceSentence,
  hasSimilarTerms,
  containsSentence,
  isSameStatement,
  toCandidates,
  withLead,
} from "./candidates.ts";
import { withRemainingItems } from "./enumerations.ts";
import { hasCue, kindOfQuestion } from "./cues.ts";
import { isLowWeightTerm, namingTerms } from "./terms/low-weight-terms.ts";
import { codesOf } from "./terms/codes.ts";
import { findGivenTerms } from "./terms/given-terms.ts";
import { findPhrases, hasPhrase, questionTermMatchers, type Phrase } from "./phrases.ts";
import { includesAll, subjectOfQuestion } from "./question-subject.ts";
import { namesOf } from "./verify.ts";
import { withOtherForms } from "./terms/same-root.ts";
import { selectFromSections } from "./sections/select-from-sections.ts";
import { weighTerms } from "./terms/weigh-terms.ts";

/** The weight of a word of a phrase in a passage that does not contain the phrase. */
const LOOSE_WEIGHT = 0.35;

interface Selection {
  query: string;
  topic: TopicHeading | null;
  /** For a standard heading: the student's question, whose subject the sentences must contain. */
  about?: string;
  language: "en" | "de";
  most: number;
  /** Sentences that are already on the canvas. */
  used: ReadonlySet<string>;
  /** Select only sentences that answer the question as well as the used ones. */
  isFurther?: boolean;
}

const MIN_MATCH = 0.5;
/** The minimum for a sentence with the required form, such as a number with the counted noun. */
const MIN_MATCH_IN_FORM = 0.35;
/** A sentence with this share of a question's words counts as an answer in any form. */
const ANSWER_MATCH = 0.65;
const MAX_PER_PASSAGE = 2;
/** The weight of a term that is around the sentence but not in it. */
const CONTEXT_WEIGHT = 0.35;
/** The weight of a term that the whole source is about. */
const GIVEN_WEIGHT = 0.8;
/** The weight of a term in the sentences that are quoted before this one. */
const LEAD_WEIGHT = 0.75;
/** The penalty for each sentence that must be quoted before this one. */
const LEAD_COST = 0.1;
const SCORE_WEIGHT = 0.4;
const CUE_WEIGHT = 0.35;
/** A sentence that begins with the subject is about it; other sentences often only mention it. */
const OPENING_TERMS = 2;
const OPENING_WEIGHT = 0.15;
/** Bonus for figures and names that the question does not contain. */
const SPECIFIC_WEIGHT = 0.1;
/** A sentence whose score is this much lower than the best one is not part of the answer. */
const MAX_BEHIND = 0.3;
/** If fewer sentences than this remain, `MAX_BEHIND_OF_FEW` applies. */
const FEW_SENTENCES = 3;
const MAX_BEHIND_OF_FEW = 0.6;
/** Each further sentence of the same source must score this much higher. */
const REPEAT_COST = 0.12;

/**
 * If there are more sentences about the subject than fit under a standard heading, keeps those with another word of the
 * question: for "How do fungi reproduce?", those about reproduction.
 */
function narrowToQuestion(
  scored: readonly EvidenceCandidate[],
  { query, about, most }: Selection,
): readonly EvidenceCandidate[] {
  const subject = about === undefined ? undefined : subjectOfQuestion(about);
  if (!subject || scored.length <= most) return scored;
  const others = namingTerms(query).filter((term) => !subject.head.includes(term) && !subject.of.includes(term));
  return others.length === 0 ? scored : scored.filter(({ terms }) => others.some((term) => terms.has(term)));
}

/** The terms, phrases and subject of a question of the student or of a standard heading. */
function readQuestion(
  { query, topic, about }: Pick<Selection, "query" | "topic" | "about">,
  passages: readonly EvidencePassage[],
) {
  const queryTerms = [...new Set(searchTerms(contentQuery(query)))];
  const phrases = findPhrases(
    query,
    passages.map(({ text }) => text),
  );
  const contentTerms = queryTerms.filter((term) => !isLowWeightTerm(term));
  const subject = topic === null || about === undefined ? undefined : subjectOfQuestion(about);
  const ofSubject = subject && [subject.head, subject.of].filter((terms) => terms.length > 0);
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

function scoreCandidates(
  candidates: readonly EvidenceCandidate[],
  passages: readonly EvidencePassage[],
  selection: Pick<Selection, "query" | "topic" | "about">,
  codes: readonly string[] = selection.topic === null ? codesOf(selection.query) : [],
): EvidenceCandidate[] {
  const { query, topic } = selection;
  const { queryTerms, phrases, contentTerms, subject, named, kind } = readQuestion(selection, passages);
  const weight = weighTerms(candidates, queryTerms, topic);
  const asked = { topic, queryTerms, phrases };
  const given = findGivenTerms(candidates, passages, asked);
  const around = new Map(passages.map((passage) => [keyOf(passage), describePassage(passage, asked, given)]));
  const naming = contentTerms.length > 0 ? contentTerms : queryTerms;
  const isOwn = topic === null || selection.about === undefined;
  const aboutSubject = isOwn && kind !== "comparison" ? ownSubject(query, candidates) : headingSubject(subject);
  const hasForm = isOwn ? requiredForm(query) : undefined;
  const isWelcome = isOwn ? preferredForm(query) : undefined;
  const needsKind = topic !== null || (!hasForm && mustBeOfKind(kind, query, contentTerms));
  // A definition or a comparison is recognised by its form, so other sentences are not accepted.
  const mayFollow = (fits: boolean) => fits || (kind !== "comparison" && kind !== "definition");
  const isAboutAll = (terms: ReadonlySet<string>) =>
    kind !== "comparison" && contentTerms.length > 1 && contentTerms.every((term) => terms.has(term));
  const total = Math.max(
    Number.EPSILON,
    queryTerms.reduce((sum, term) => sum + weight(term), 0),
  );
  const least = hasForm ? MIN_MATCH_IN_FORM : MIN_MATCH;
  const isNamed = (candidate: EvidenceCandidate, near: Around | undefined) =>
    naming.some(
      (term) => (candidate.terms.has(term) || candidate.leadTerms.has(term)) && near?.given.has(term) !== true,
    ) && codes.every((code) => near?.terms.has(code) === true);
  const isCalledFor = (text: string, fits: boolean) => (fits || !needsKind) && hasForm?.(text) !== false;
  const looksRight = (text: string, fits: boolean) => fits || hasForm !== undefined || isWelcome?.(text) === true;
  // A definition may be in a sentence that begins with something else.
  const scoreSubject = (candidate: EvidenceCandidate, near: Around | undefined, fits: boolean) =>
    aboutSubject(candidate, near ?? { context: new Set(), given: new Set() }) ??
    (kind === "definition" && fits ? 0 : undefined);
  return candidates.flatMap((candidate) => {
    const { text } = candidate;
    const near = around.get(keyOf(candidate));
    const share = isNamed(candidate, near) ? matchTerms(candidate, near, { queryTerms, weight }) / total : 0;
    const fits = kind !== null && hasCue(text, kind, named);
    if (share < least || !isCalledFor(text, fits)) return [];
    const subjectScore = scoreSubject(candidate, near, fits);
    if (subjectScore === undefined) return [];
    const score = share + scoreLooks(candidate, { subjectScore, looksRight: looksRight(text, fits), queryTerms });
    const isWhole = isAboutAll(candidate.terms);
    const isMatch = share >= ANSWER_MATCH;
    return [
      { ...candidate, score, isWhole, isSure: isMatch && mayFollow(fits), isAnswer: fits || isMatch, isOfKind: fits },
    ];
  });
}

/** The part of a sentence's score that does not come from the words of the question. */
function scoreLooks(
  candidate: EvidenceCandidate,
  {
    subjectScore,
    looksRight,
    queryTerms,
  }: { subjectScore: number; looksRight: boolean; queryTerms: readonly string[] },
): number {
  return (
    SCORE_WEIGHT * candidate.score +
    (looksRight ? CUE_WEIGHT : 0) +
    Math.max(subjectScore, opensWith(candidate, queryTerms) ? OPENING_WEIGHT : 0) +
    (isSpecific(candidate.text, queryTerms) ? SPECIFIC_WEIGHT : 0) -
    LEAD_COST * candidate.lead.length
  );
}

type Around = ReturnType<typeof describePassage>;

/** The share of a question's words in a sentence, in the sentences quoted before it, or around it. */
function matchTerms(
  { terms, leadTerms }: EvidenceCandidate,
  around: Around | undefined,
  { queryTerms, weight }: { queryTerms: readonly string[]; weight: (term: string) => number },
): number {
  return queryTerms.reduce((sum, term) => {
    const nearby = around?.terms.has(term) === true ? CONTEXT_WEIGHT : 0;
    const outside = around?.given.has(term) === true ? GIVEN_WEIGHT : leadTerms.has(term) ? LEAD_WEIGHT : nearby;
    const share = terms.has(term) ? 1 : outside;
    return sum + weight(term) * share * (around?.loose.has(term) === true ? LOOSE_WEIGHT : 1);
  }, 0);
}

const keyOf = ({ source, passageId }: Pick<EvidencePassage, "source" | "passageId">) => `${source} ${passageId}`;

/** The terms in and around a passage, and those of them that belong to a phrase that is not complete there. */
function describePassage(
  { source, context, text }: EvidencePassage,
  { phrases, queryTerms }: { phrases: readonly Phrase[]; queryTerms: readonly string[] },
  given: ReadonlyMap<number, ReadonlySet<string>>,
) {
  const whole = `${context} ${text}`;
  const missing = phrases.filter((phrase) => !hasPhrase(whole, phrase));
  return {
    terms: new Set(withOtherForms(searchTerms(whole), queryTerms)),
    context: new Set(withOtherForms(searchTerms(context), queryTerms)),
    given: given.get(source) ?? new Set<string>(),
    loose: new Set(missing.flatMap((phrase) => phrase.terms)),
  };
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

/**
 * The complete sentences of the passages that answer a sub-question, best first, without repetition and spread over the
 * sources. If no sentence has the form of an answer to a question of the student, those on its subject that are of the
 * kind it asks for. Empty if no sentence is about it.
 */
export function selectEvidence(passages: readonly EvidencePassage[], selection: Selection): EvidenceSentence[] {
  const candidates = toCandidates(passages, selection);
  const scored = scoreCandidates(candidates, passages, selection);
  if (selection.isFurther === true) return pickFurther(scored, selection);
  if (selection.topic !== null && selection.topic !== "definition")
    return pickSentences(narrowToQuestion(scored, selection), selection);
  const covered = selection.topic === null ? selectFromSections(candidates, passages, selection) : [];
  if (covered.length >= FEW_SENTENCES) return covered;
  const definitions = selection.topic === null ? listDefinitions(scored, selection.query) : [];
  if (definitions.length > 0) return pickSentences(definitions, selection);
  const isOpen = selection.topic === null && !scored.some(({ isAnswer }) => isAnswer);
  const kind = isOpen ? kindOfQuestion(selection.query) : null;
  return kind === null || kind === "comparison"
    ? withRemainingItems(pickSentences(scored, selection), candidates, selection)
    : pickSentences(
        scoreCandidates(candidates, passages, { ...selection, topic: kind }, codesOf(selection.query)),
        selection,
      );
}

/** For a question that names only a thing, such as "What is a plasmid?", the sentences that define it. */
function listDefinitions(scored: readonly EvidenceCandidate[], query: string): EvidenceCandidate[] {
  const contentTerms = namingTerms(query);
  // A definition of the battery does not answer "What is the range of a battery?".
  const isOfAnother = (subjectOfQuestion(query)?.of.length ?? 0) > 0;
  const asksWhat = kindOfQuestion(query) === "definition" && isBareSubjectQuery(query, contentTerms) && !isOfAnother;
  return asksWhat ? scored.filter(({ isOfKind }) => isOfKind) : [];
}

const bestScore = (scored: readonly EvidenceCandidate[]) => Math.max(0, ...scored.map(({ score }) => score));

/** The sentences that answer the question as well as those already used. */
function pickFurther(scored: readonly EvidenceCandidate[], selection: Selection): EvidenceSentence[] {
  const least = bestScore(scored) - MAX_BEHIND;
  const answers = scored.filter(({ score, isAnswer }) => isAnswer && score >= least);
  const used = answers.filter(({ text }) => selection.used.has(text));
  const isNew = ({ text, terms }: EvidenceCandidate) =>
    !selection.used.has(text) && !used.some((other) => hasSimilarTerms(other.terms, terms));
  return pickSentences(answers.filter(isNew), selection);
}

function pickSentences(scored: readonly EvidenceCandidate[], selection: Selection): EvidenceSentence[] {
  const highest = bestScore(scored);
  const isOwn = selection.topic === null;
  const asked = new Set(searchTerms(selection.query));
  const picked: EvidenceCandidate[] = [];
  const sentences: EvidenceSentence[] = [];
  const remaining = new Set(scored);
  const mayFollow = ({ score, isWhole, isSure }: EvidenceCandidate) => {
    if (!isOwn || isWhole || score >= highest - MAX_BEHIND) return true;
    return isSure && picked.length < FEW_SENTENCES && score >= highest - MAX_BEHIND_OF_FEW;
  };
  while (sentences.length < selection.most) {
    let best: { candidate: EvidenceCandidate; score: number } | undefined;
    for (const candidate of remaining) {
      if (!mayFollow(candidate)) continue;
      const repeats = picked.filter(({ source }) => source === candidate.source).length;
      const score = candidate.score - REPEAT_COST * repeats;
      if (!best || score > best.score) best = { candidate, score };
    }
    if (!best) break;
    const { candidate } = best;
    remaining.delete(candidate);
    const samePassage = picked.filter(
      ({ source, passageId }) => source === candidate.source && passageId === candidate.passageId,
    ).length;
    const isRepetition =
      containsSentence(sentences, candidate) ||
      picked.some(({ terms, text }) => text === candidate.text || isSameStatement(terms, candidate.terms, asked));
    const written = withLead(candidate, sentences);
    if (samePassage >= MAX_PER_PASSAGE || isRepetition || sentences.length + written.length > selection.most) continue;
    picked.push(candidate);
    sentences.push(...written);
  }
  return sentences;
}

/** Orders passages by their best sentences for a question. A passage that is completely on the canvas is left out. */
export function rankPassages(
  passages: readonly EvidencePassage[],
  selection: Omit<Selection, "most">,
): EvidencePassage[] {
  const best = new Map<string, number>();
  for (const candidate of scoreCandidates(toCandidates(passages, selection), passages, selection))
    best.set(keyOf(candidate), Math.max(best.get(keyOf(candidate)) ?? 0, candidate.score));
  const hasMore = ({ text }: EvidencePassage) =>
    splitSentences(text, selection.language).some(({ text: sentence }) => !selection.used.has(sentence));
  return passages
    .filter(hasMore)
    .map((passage) => ({ passage, score: best.get(keyOf(passage)) ?? 0 }))
    .toSorted((a, b) => b.score - a.score || b.passage.score - a.passage.score)
    .map(({ passage }) => passage);
}

/** The readable sentences of the passages about the subject of a question, for comparing sources. */
export function listStatements(
  passages: readonly EvidencePassage[],
  { query, language }: Pick<Selection, "query" | "language">,
): EvidenceSentence[] {
  const candidates = toCandidates(passages, { language, query, used: new Set() }).filter(
    ({ lead, isContrast }) => lead.length === 0 || isContrast,
  );
  const queryTerms = [...new Set(searchTerms(contentQuery(query)))];
  const weight = weighTerms(candidates, queryTerms, "more");
  const total = queryTerms.reduce((sum, term) => sum + weight(term), 0);
  return candidates.flatMap(({ source, passageId, text, at, score, terms }) => {
    const matched = queryTerms.reduce((sum, term) => sum + (terms.has(term) ? weight(term) : 0), 0);
    return matched > 0 && matched >= total * MIN_MATCH ? [{ source, passageId, text, at, score }] : [];
  });
}
