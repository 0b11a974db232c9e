import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import {
  type EvidenceCandidate,
  type EvidencePassage,
  type EvidenceSentence,
  hasSimilarTerms,
  containsSentence,
  isSameStatement,
  toCandidates,
  withPreceding,
} from "./candidates.ts";
import { comparedThings } from "./compared-things.ts";
import { kindOfQuestion } from "./cues.ts";
import { withRemainingItems } from "./enumerations.ts";
import { includesAll, subjectOfQuestion } from "./parse-question-subject.ts";
import { keyOf } from "./scoring/passage-terms.ts";
import { type Question, scoreCandidates } from "./scoring/score-candidates.ts";
import { isBareSubjectQuery } from "./scoring/score-subject.ts";
import { selectFromSections } from "./sections/select-from-sections.ts";
import { codesOf } from "./terms/codes.ts";
import { withUsualForms } from "./terms/abbreviations.ts";
import { namingTerms } from "./terms/low-weight-terms.ts";
import { weighTerms } from "./terms/weigh-terms.ts";

interface Selection extends Question {
  language: "en" | "de";
  most: number;
  /** Sentences that are already on the canvas. */
  used: ReadonlySet<string>;
  /** Select only sentences that answer the question as well as the used ones. */
  isFurther?: boolean;
}

const MAX_PER_PASSAGE = 2;
/** A sentence whose score is this much lower than the best one is not part of the answer. */
const MAX_SCORE_GAP = 0.3;
/** If fewer sentences than this remain, `MAX_SCORE_GAP_IF_FEW` applies. */
const FEW_SENTENCES = 3;
const MAX_SCORE_GAP_IF_FEW = 0.6;
/** Each further sentence of the same source must score this much higher. */
const SAME_SOURCE_PENALTY = 0.12;

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
  const others = namingTerms(query).filter((term) => !subject.head.includes(term) && !subject.modifiers.includes(term));
  return others.length === 0 ? scored : scored.filter(({ terms }) => others.some((term) => terms.has(term)));
}

/**
 * The complete sentences of the passages that answer a sub-question, best first, without repetition and spread over the
 * sources. If no sentence has the form of an answer to a question of the student, those on its subject that are of the
 * kind it asks for. Empty if no sentence is about it.
 */
export function selectEvidence(passages: readonly EvidencePassage[], selection: Selection): EvidenceSentence[] {
  const texts = passages.map(({ text }) => text);
  return selectSentences(passages, { ...selection, query: withUsualForms(selection.query, texts) });
}

function selectSentences(passages: readonly EvidencePassage[], selection: Selection): EvidenceSentence[] {
  const candidates = toCandidates(passages, selection);
  const scored = scoreCandidates(candidates, passages, selection);
  if (selection.isFurther === true) return pickFurther(scored, selection);
  if (selection.topic === null) return selectForStudent(passages, { selection, candidates, scored });
  if (selection.topic !== "definition") return pickSentences(narrowToQuestion(scored, selection), selection);
  return withRemainingItems(pickSentences(scored, selection), candidates, selection);
}

/** The sentences that answer a question of the student. */
function selectForStudent(
  passages: readonly EvidencePassage[],
  {
    selection,
    candidates,
    scored,
  }: { selection: Selection; candidates: readonly EvidenceCandidate[]; scored: readonly EvidenceCandidate[] },
): EvidenceSentence[] {
  const things = comparedThings(selection.query);
  if (things) return selectComparison(scored, passages, { selection, things });
  const covered = selectFromSections(candidates, passages, selection);
  if (covered.length >= FEW_SENTENCES) return covered;
  const definitions = listDefinitions(scored, selection.query);
  if (definitions.length > 0) return pickSentences(definitions, selection);
  const kind = scored.some(({ isAnswer }) => isAnswer) ? null : kindOfQuestion(selection.query);
  return kind === null || kind === "comparison"
    ? withRemainingItems(pickSentences(scored, selection), candidates, selection)
    : pickSentences(
        scoreCandidates(candidates, passages, { ...selection, topic: kind }, codesOf(selection.query)),
        selection,
      );
}

/**
 * The sentences that name both compared things. If there are none, one sentence that says what each of them is: their
 * own sections have the rest.
 */
function selectComparison(
  scored: readonly EvidenceCandidate[],
  passages: readonly EvidencePassage[],
  { selection, things }: { selection: Selection; things: readonly string[] },
): EvidenceSentence[] {
  const ofThings = things.map(namingTerms);
  const direct = scored.filter(
    ({ terms, matchesAnswerKind }) => matchesAnswerKind && ofThings.every((thing) => includesAll(terms, thing)),
  );
  if (direct.length > 0) return pickSentences(direct, selection);
  return things.flatMap((thing) => selectEvidence(passages, { ...selection, query: `What is ${thing}?`, most: 1 }));
}

/** For a question that names only a thing, such as "What is a plasmid?", the sentences that define it. */
function listDefinitions(scored: readonly EvidenceCandidate[], query: string): EvidenceCandidate[] {
  const contentTerms = namingTerms(query);
  // A definition of the battery does not answer "What is the range of a battery?".
  const isOfAnother = (subjectOfQuestion(query)?.modifiers.length ?? 0) > 0;
  const asksWhat = kindOfQuestion(query) === "definition" && isBareSubjectQuery(query, contentTerms) && !isOfAnother;
  return asksWhat ? scored.filter(({ matchesAnswerKind }) => matchesAnswerKind) : [];
}

const bestScore = (scored: readonly EvidenceCandidate[]) => Math.max(0, ...scored.map(({ score }) => score));

/** The sentences that answer the question as well as those already used. */
function pickFurther(scored: readonly EvidenceCandidate[], selection: Selection): EvidenceSentence[] {
  const least = bestScore(scored) - MAX_SCORE_GAP;
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
  const isCloseToBest = ({ score, coversAllTerms, coversQuestionInForm }: EvidenceCandidate) => {
    if (!isOwn || coversAllTerms || score >= highest - MAX_SCORE_GAP) return true;
    return coversQuestionInForm && picked.length < FEW_SENTENCES && score >= highest - MAX_SCORE_GAP_IF_FEW;
  };
  while (sentences.length < selection.most) {
    let best: { candidate: EvidenceCandidate; score: number } | undefined;
    for (const candidate of remaining) {
      if (!isCloseToBest(candidate)) continue;
      const repeats = picked.filter(({ source }) => source === candidate.source).length;
      const score = candidate.score - SAME_SOURCE_PENALTY * repeats;
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
    const written = withPreceding(candidate, sentences);
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

/** The minimum share of a question’s words in a statement that is compared with others. */
const MIN_MATCH = 0.5;

/** The readable sentences of the passages about the subject of a question, for comparing sources. */
export function listStatements(
  passages: readonly EvidencePassage[],
  { query, language }: Pick<Selection, "query" | "language">,
): EvidenceSentence[] {
  const candidates = toCandidates(passages, { language, query, used: new Set() }).filter(
    ({ preceding, isContrast }) => preceding.length === 0 || isContrast,
  );
  const queryTerms = [...new Set(searchTerms(contentQuery(query)))];
  const weight = weighTerms(candidates, queryTerms, "more");
  const total = queryTerms.reduce((sum, term) => sum + weight(term), 0);
  return candidates.flatMap(({ source, passageId, text, at, score, terms }) => {
    const matched = queryTerms.reduce((sum, term) => sum + (terms.has(term) ? weight(term) : 0), 0);
    return matched > 0 && matched >= total * MIN_MATCH ? [{ source, passageId, text, at, score }] : [];
  });
}
