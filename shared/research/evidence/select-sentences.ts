import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import type { TopicHeading } from "../schema.ts";
import { hasCue, kindOfQuestion } from "./cues.ts";
import { isLightTerm } from "./light-terms.ts";
import { codesOf } from "./codes.ts";
import { findPhrases, holdsPhrase, namedThings, type Phrase } from "./phrases.ts";
import { isReadable } from "./readable-sentences.ts";
import { namesOf } from "./verify.ts";

/** A retrieved passage of a source of the ledger. */
export interface EvidencePassage {
  source: number;
  passageId: string;
  text: string;
  /** Title of the source and the heading above the passage. */
  context: string;
  /** 0 to 1, the best passage of its search has 1. */
  score: number;
}

/** A whole sentence of a passage. */
export interface EvidenceSentence {
  source: number;
  passageId: string;
  text: string;
  /** Position in its passage. */
  at: number;
  score: number;
}

/** A word that names nothing counts this much. */
const LIGHT_WEIGHT = 0.3;
/** A word of a phrase counts this much in a passage that does not have the phrase. */
const LOOSE_WEIGHT = 0.35;

interface Candidate extends EvidenceSentence {
  terms: ReadonlySet<string>;
  /** Whether it holds most of the words of the question, and defines or compares if that is asked for. */
  isSure: boolean;
  /** Whether it looks like an answer to the question, or holds most of its words. */
  isAnswer: boolean;
  /** Whether it names everything that a question names, of more than one thing. */
  isWhole: boolean;
}

interface Selection {
  query: string;
  topic: TopicHeading | null;
  language: "en" | "de";
  most: number;
  /** Sentences that the canvas has already. */
  used: ReadonlySet<string>;
  /** Only what answers the question as well as the used sentences do. */
  isFurther?: boolean;
}

const MIN_MATCH = 0.5;
/** With this much of a question's words a sentence answers it, whatever it looks like. */
const ANSWER_MATCH = 0.65;
const MAX_PER_PASSAGE = 2;
const TOO_ALIKE = 0.65;
/** A term that stands around the sentence, but not in it, counts this much. */
const CONTEXT_WEIGHT = 0.35;
const ABSENT_WEIGHT = 0.5;
const SCORE_WEIGHT = 0.4;
const CUE_WEIGHT = 0.35;
/** A sentence that opens with what is asked about is about it; others often only mention it. */
const OPENING_TERMS = 2;
const OPENING_WEIGHT = 0.15;
/** Figures and names of its own make a sentence worth reading. */
const SPECIFIC_WEIGHT = 0.1;
/** A sentence that is so much worse than the best one is not part of the answer. */
const MAX_BEHIND = 0.3;
/** With fewer sentences than this, an answer may be further behind. */
const FEW_SENTENCES = 3;
const MAX_BEHIND_OF_FEW = 0.6;
/** Each further sentence of the same source has to be this much better. */
const REPEAT_COST = 0.12;

function toCandidates(
  passages: readonly EvidencePassage[],
  { language, used, isFurther = false }: Pick<Selection, "language" | "used" | "isFurther">,
): Candidate[] {
  return passages.flatMap(({ source, passageId, text, score }) =>
    splitSentences(text, language).flatMap(({ text: sentence }, at): Candidate[] =>
      isReadable(sentence, language) && (isFurther || !used.has(sentence))
        ? [
            {
              source,
              passageId,
              text: sentence,
              at,
              score,
              terms: new Set(searchTerms(sentence)),
              isSure: false,
              isAnswer: false,
              isWhole: false,
            },
          ]
        : [],
    ),
  );
}

/** How much each term of a question says, by the candidates that hold it. */
function weighTerms(
  candidates: readonly Candidate[],
  queryTerms: readonly string[],
  topic: TopicHeading | null,
): (term: string) => number {
  const counts = new Map(queryTerms.map((term) => [term, 0]));
  // What texts on the subject have in common, together with each other.
  const common = new Map(queryTerms.map((term) => [term, 0]));
  const mostHeld = new Map(queryTerms.map((term) => [term, 0]));
  for (const { terms } of candidates) {
    const held = queryTerms.filter((term) => terms.has(term));
    const share = held.length / queryTerms.length;
    for (const term of held) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      common.set(term, (common.get(term) ?? 0) + share ** 2);
      mostHeld.set(term, Math.max(mostHeld.get(term) ?? 0, share));
    }
  }
  const most = Math.max(Number.EPSILON, ...mostHeld.values());
  return (term) => {
    const light = isLightTerm(term) ? LIGHT_WEIGHT : 1;
    if (topic !== null) return (common.get(term) ?? 0) * light;
    const count = counts.get(term) ?? 0;
    // A word that no sentence holds is often only a way of asking. One that never stands with the others has another
    // meaning there: "turn" of a lamp for "How do plants turn light into sugar?".
    const fit = count === 0 ? ABSENT_WEIGHT : ((mostHeld.get(term) ?? 0) / most) ** 2;
    return Math.log(1 + candidates.length / (1 + count)) * fit * light;
  };
}

function scoreCandidates(
  candidates: readonly Candidate[],
  passages: readonly EvidencePassage[],
  { query, topic }: Pick<Selection, "query" | "topic">,
  codes: readonly string[] = topic === null ? codesOf(query) : [],
): Candidate[] {
  const queryTerms = [...new Set(searchTerms(contentQuery(query)))];
  const weight = weighTerms(candidates, queryTerms, topic);
  const phrases = findPhrases(
    query,
    passages.map(({ text }) => text),
  );
  const around = new Map(passages.map((passage) => [keyOf(passage), describePassage(passage, phrases)]));
  const kind = topic ?? kindOfQuestion(query);
  const named = namedThings(queryTerms, phrases);
  const telling = queryTerms.filter((term) => !isLightTerm(term));
  const naming = telling.length > 0 ? telling : queryTerms;
  // Whether a sentence defines or compares shows in its form.
  const mayFollow = (fits: boolean) => fits || (kind !== "comparison" && kind !== "definition");
  const isAboutAll = (terms: ReadonlySet<string>) =>
    kind !== "comparison" && telling.length > 1 && telling.every((term) => terms.has(term));
  const total = Math.max(
    Number.EPSILON,
    queryTerms.reduce((sum, term) => sum + weight(term), 0),
  );
  return candidates.flatMap((candidate) => {
    const near = around.get(keyOf(candidate));
    const isNamed =
      naming.some((term) => candidate.terms.has(term)) && codes.every((code) => near?.terms.has(code) === true);
    const share = isNamed ? matchTerms(candidate, near, { queryTerms, weight }) / total : 0;
    const fits = kind !== null && hasCue(candidate.text, kind, named);
    if (share < MIN_MATCH || (topic !== null && !fits)) return [];
    const score =
      share +
      SCORE_WEIGHT * candidate.score +
      (fits ? CUE_WEIGHT : 0) +
      (opensWith(candidate, queryTerms) ? OPENING_WEIGHT : 0) +
      (isSpecific(candidate.text, queryTerms) ? SPECIFIC_WEIGHT : 0);
    const isWhole = isAboutAll(candidate.terms);
    const isMatch = share >= ANSWER_MATCH;
    return [{ ...candidate, score, isWhole, isSure: isMatch && mayFollow(fits), isAnswer: fits || isMatch }];
  });
}

/** How much of a question a sentence holds, itself or around it. */
function matchTerms(
  candidate: Candidate,
  around: ReturnType<typeof describePassage> | undefined,
  { queryTerms, weight }: { queryTerms: readonly string[]; weight: (term: string) => number },
): number {
  return queryTerms.reduce((sum, term) => {
    const held = candidate.terms.has(term) ? 1 : around?.terms.has(term) === true ? CONTEXT_WEIGHT : 0;
    return sum + weight(term) * held * (around?.loose.has(term) === true ? LOOSE_WEIGHT : 1);
  }, 0);
}

const keyOf = ({ source, passageId }: Pick<EvidencePassage, "source" | "passageId">) => `${source} ${passageId}`;

/** The terms in and around a passage, and those that stand there without the rest of their phrase. */
function describePassage({ context, text }: EvidencePassage, phrases: readonly Phrase[]) {
  const whole = `${context} ${text}`;
  const missing = phrases.filter((phrase) => !holdsPhrase(whole, phrase));
  return { terms: new Set(searchTerms(whole)), loose: new Set(missing.flatMap((phrase) => phrase.terms)) };
}

const opensWith = ({ terms }: Candidate, queryTerms: readonly string[]) =>
  [...terms].slice(0, OPENING_TERMS).some((term) => queryTerms.includes(term));

/** Whether a sentence holds a figure, or a name that the question lacks. Its first word has a capital anyway. */
function isSpecific(text: string, queryTerms: readonly string[]): boolean {
  if (/\d/.test(text)) return true;
  const names = namesOf(text.replace(/^\P{L}*\p{L}+/u, ""));
  return names.some((name) => searchTerms(name).some((term) => !queryTerms.includes(term)));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const term of a) if (b.has(term)) common += 1;
  return common / Math.max(1, Math.min(a.size, b.size));
}

/**
 * The whole sentences of the passages that answer a sub-question, best first, none twice and spread over the sources.
 * Where no sentence looks like an answer to a question of the student, those on its subject that are of the kind it asks
 * for. Empty if none of them is about it.
 */
export function selectEvidence(passages: readonly EvidencePassage[], selection: Selection): EvidenceSentence[] {
  const candidates = toCandidates(passages, selection);
  const scored = scoreCandidates(candidates, passages, selection);
  if (selection.isFurther === true) return pickFurther(scored, selection);
  const isOpen = selection.topic === null && !scored.some(({ isAnswer }) => isAnswer);
  const kind = isOpen ? kindOfQuestion(selection.query) : null;
  return kind === null || kind === "comparison"
    ? pickSentences(scored, selection)
    : pickSentences(
        scoreCandidates(candidates, passages, { ...selection, topic: kind }, codesOf(selection.query)),
        selection,
      );
}

const bestScore = (scored: readonly Candidate[]) => Math.max(0, ...scored.map(({ score }) => score));

/** The sentences that answer the question as well as the used ones do. */
function pickFurther(scored: readonly Candidate[], selection: Selection): EvidenceSentence[] {
  const least = bestScore(scored) - MAX_BEHIND;
  const answers = scored.filter(({ score, isAnswer }) => isAnswer && score >= least);
  const used = answers.filter(({ text }) => selection.used.has(text));
  const isNew = ({ text, terms }: Candidate) =>
    !selection.used.has(text) && !used.some((other) => overlap(other.terms, terms) > TOO_ALIKE);
  return pickSentences(answers.filter(isNew), selection);
}

function pickSentences(scored: readonly Candidate[], selection: Selection): EvidenceSentence[] {
  const highest = bestScore(scored);
  const isOwn = selection.topic === null;
  const picked: Candidate[] = [];
  const remaining = new Set(scored);
  const mayFollow = ({ score, isWhole, isSure }: Candidate) => {
    if (!isOwn || isWhole || score >= highest - MAX_BEHIND) return true;
    return isSure && picked.length < FEW_SENTENCES && score >= highest - MAX_BEHIND_OF_FEW;
  };
  while (picked.length < selection.most) {
    let best: { candidate: Candidate; score: number } | undefined;
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
    const isRepetition = picked.some(
      ({ terms, text }) => text === candidate.text || overlap(terms, candidate.terms) > TOO_ALIKE,
    );
    if (samePassage < MAX_PER_PASSAGE && !isRepetition) picked.push(candidate);
  }
  return picked.map(
    ({ terms: _terms, isSure: _isSure, isAnswer: _isAnswer, isWhole: _isWhole, ...sentence }) => sentence,
  );
}

/**
 * The passages for a question, those with the best sentences first. A passage that the canvas quotes as a whole has
 * nothing more to say.
 */
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

/** The readable sentences of the passages that are about the subject of a question, for comparing sources. */
export function listStatements(
  passages: readonly EvidencePassage[],
  { query, language }: Pick<Selection, "query" | "language">,
): EvidenceSentence[] {
  const candidates = toCandidates(passages, { language, used: new Set() });
  const queryTerms = [...new Set(searchTerms(contentQuery(query)))];
  const weight = weighTerms(candidates, queryTerms, "more");
  const total = queryTerms.reduce((sum, term) => sum + weight(term), 0);
  return candidates.flatMap(({ terms, isSure: _isSure, isAnswer: _isAnswer, isWhole: _isWhole, ...sentence }) => {
    const matched = queryTerms.reduce((sum, term) => sum + (terms.has(term) ? weight(term) : 0), 0);
    return matched > 0 && matched >= total * MIN_MATCH ? [sentence] : [];
  });
}
