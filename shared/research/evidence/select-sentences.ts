import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { wordsOf } from "#shared/text/words.ts";
import type { TopicHeading } from "../schema.ts";
import { hasCue, kindOfQuestion } from "./cues.ts";
import { isLightTerm } from "./light-terms.ts";
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
/** Each further sentence of the same source has to be this much better. */
const REPEAT_COST = 0.12;

function toCandidates(
  passages: readonly EvidencePassage[],
  { language, used }: Pick<Selection, "language" | "used">,
): Candidate[] {
  return passages.flatMap(({ source, passageId, text, score }) =>
    splitSentences(text, language).flatMap(({ text: sentence }, at): Candidate[] =>
      isReadable(sentence, language) && !used.has(sentence)
        ? [
            {
              source,
              passageId,
              text: sentence,
              at,
              score,
              terms: new Set(searchTerms(sentence)),
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
  const total = Math.max(
    Number.EPSILON,
    queryTerms.reduce((sum, term) => sum + weight(term), 0),
  );
  return candidates.flatMap((candidate) => {
    const isNamed = naming.some((term) => candidate.terms.has(term));
    const share = isNamed ? matchTerms(candidate, around.get(keyOf(candidate)), { queryTerms, weight }) / total : 0;
    const fits = kind !== null && hasCue(candidate.text, kind, named);
    if (share < MIN_MATCH || (topic !== null && !fits)) return [];
    const score =
      share +
      SCORE_WEIGHT * candidate.score +
      (fits && kind !== "more" ? CUE_WEIGHT : 0) +
      (opensWith(candidate, queryTerms) ? OPENING_WEIGHT : 0) +
      (isSpecific(candidate.text, queryTerms) ? SPECIFIC_WEIGHT : 0);
    const isWhole = telling.length > 1 && telling.every((term) => candidate.terms.has(term));
    return [{ ...candidate, score, isWhole, isAnswer: fits || share >= ANSWER_MATCH }];
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
  const isOpen = selection.topic === null && !scored.some(({ isAnswer }) => isAnswer);
  const kind = isOpen ? kindOfQuestion(selection.query) : null;
  return kind === null || kind === "comparison"
    ? pickSentences(scored, selection)
    : pickSentences(scoreCandidates(candidates, passages, { ...selection, topic: kind }), selection);
}

function pickSentences(scored: readonly Candidate[], selection: Selection): EvidenceSentence[] {
  const least = Math.max(0, ...scored.map(({ score }) => score)) - MAX_BEHIND;
  const picked: Candidate[] = [];
  const remaining = new Set(
    selection.topic === null ? scored.filter(({ score, isWhole }) => isWhole || score >= least) : scored,
  );
  while (picked.length < selection.most) {
    let best: { candidate: Candidate; score: number } | undefined;
    for (const candidate of remaining) {
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
  return picked.map(({ terms: _terms, isAnswer: _isAnswer, isWhole: _isWhole, ...sentence }) => sentence);
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
  return candidates.flatMap(({ terms, isAnswer: _isAnswer, isWhole: _isWhole, ...sentence }) => {
    const matched = queryTerms.reduce((sum, term) => sum + (terms.has(term) ? weight(term) : 0), 0);
    return matched > 0 && matched >= total * MIN_MATCH ? [sentence] : [];
  });
}

const MAX_LEARNED = 4;
const MIN_TERM_CHARS = 4;

/**
 * Words that the best sentences share and the question lacks, for a second round of searching: letters only, so that no
 * address or figure is among them.
 */
export function learnTerms(sentences: readonly Pick<EvidenceSentence, "text">[], query: string): string[] {
  const known = new Set(searchTerms(query));
  const counts = new Map<string, { word: string; count: number }>();
  for (const { text } of sentences)
    for (const word of new Set(wordsOf(text))) {
      const [term] = searchTerms(word);
      if (term === undefined || known.has(term) || word.length < MIN_TERM_CHARS || !/^\p{L}+$/u.test(word)) continue;
      counts.set(term, { word, count: (counts.get(term)?.count ?? 0) + 1 });
    }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_LEARNED)
    .map(({ word }) => word);
}
