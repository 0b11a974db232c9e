import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { requiredForm } from "../answer-form.ts";
import {
  type EvidenceCandidate,
  type EvidencePassage,
  type EvidenceSentence,
  containsSentence,
  isSameStatement,
  withPreceding,
} from "../candidates.ts";
import { kindOfQuestion } from "../cues.ts";
import { PRECEDING_PENALTY } from "../scoring/score-candidates.ts";
import { codesOf } from "../terms/codes.ts";
import { isLowWeightTerm } from "../terms/low-weight-terms.ts";
import { weighTerms } from "../terms/weigh-terms.ts";
import { type AskedTerms, type CoveringSection, findCoveringSections, sectionKeyOf } from "./covering-sections.ts";

/** The weight of the share of the question's words that a sentence contains, and of those that its section contains. */
const OWN_WEIGHT = 0.5;
const SECTION_WEIGHT = 0.5;
/** How much a word in the heading counts for a sentence without it. */
const IN_HEADING = 0.7;
/** A section begins with what it is about, and ends with examples. */
const EARLY_WEIGHT = 0.4;
/** Bonus for the first sentence of a passage. */
const FIRST_WEIGHT = 0.1;
const MAX_PER_PASSAGE = 2;
const ABSENT_SHARE = 0.5;

/** "Since 1900": limits the answer, so that a source need not contain the year itself. */
const SINCE_YEAR = /(?<!\p{L})(?:since|from|until|between|before|after|and|to|seit|bis|ab)\s+\d{4}(?!\d)/giu;

/**
 * The terms of a question that name something, or all of them if none does. A word that no sentence contains, such as
 * "reliable", is often only part of the wording, so it has half of the usual weight.
 */
function readTerms(query: string, candidates: readonly EvidenceCandidate[]): AskedTerms {
  const all = [...new Set(searchTerms(contentQuery(query.replaceAll(SINCE_YEAR, ""))))];
  const naming = all.filter((term) => !isLowWeightTerm(term));
  const terms = naming.length > 0 ? naming : all;
  const weight = weighTerms(candidates, terms, null);
  const known = terms.filter((term) => candidates.some((candidate) => candidate.terms.has(term)));
  const mean = known.reduce((sum, term) => sum + weight(term), 0) / Math.max(1, known.length);
  return { query, terms, weight: (term) => (known.includes(term) ? weight(term) : mean * ABSENT_SHARE) };
}

/** The share of a question's words that a sentence contains, alone or with those quoted before it and its heading. */
function shareOf({ terms, precedingTerms }: EvidenceCandidate, section: CoveringSection, asked: AskedTerms): number {
  const valueOf = (term: string) => {
    if (terms.has(term) || precedingTerms.has(term)) return 1;
    return section.terms.get(term) === 1 ? IN_HEADING : 0;
  };
  const total = asked.terms.reduce((sum, term) => sum + asked.weight(term), 0);
  const own = asked.terms.reduce((sum, term) => sum + asked.weight(term) * valueOf(term), 0);
  return own / Math.max(Number.EPSILON, total);
}

/** The sentences of the sections that are about everything a question names, best first. */
function scoreSentences(
  candidates: readonly EvidenceCandidate[],
  passages: readonly EvidencePassage[],
  asked: AskedTerms,
): EvidenceCandidate[] {
  const covering = findCoveringSections(passages, asked);
  const passageOf = new Map(passages.map((passage) => [`${passage.source} ${passage.passageId}`, passage]));
  const lengths = new Map<string, number>();
  for (const passage of passages) {
    const key = sectionKeyOf(passage);
    lengths.set(key, Math.max(lengths.get(key) ?? 0, 1 + (passage.section?.at ?? 0)));
  }
  const scored = candidates.flatMap((candidate): EvidenceCandidate[] => {
    const passage = passageOf.get(`${candidate.source} ${candidate.passageId}`);
    const key = passage ? sectionKeyOf(passage) : "";
    const section = covering.get(key);
    if (!section) return [];
    const score =
      OWN_WEIGHT * shareOf(candidate, section, asked) +
      SECTION_WEIGHT * section.share +
      EARLY_WEIGHT * (1 - (passage?.section?.at ?? 0) / (lengths.get(key) ?? 1)) +
      (candidate.at === 0 ? FIRST_WEIGHT : 0) -
      PRECEDING_PENALTY * candidate.preceding.length;
    return [{ ...candidate, score, isInCoveringSection: true }];
  });
  return scored.toSorted((a, b) => b.score - a.score);
}

/**
 * Sentences from the sections that are about everything a question of the student names, because a text explains what its
 * heading names in words that the question does not contain. Empty if there is no such section, or if an answer of a certain
 * form is asked for, which a sentence must have itself.
 */
export function selectFromSections(
  candidates: readonly EvidenceCandidate[],
  passages: readonly EvidencePassage[],
  { query, most }: { query: string; most: number },
): EvidenceSentence[] {
  const hasForm = kindOfQuestion(query) === "comparison" || requiredForm(query) !== undefined;
  if (hasForm || codesOf(query).length > 0) return [];
  const asked = readTerms(query, candidates);
  const terms = new Set(asked.terms);
  const picked: EvidenceCandidate[] = [];
  const sentences: EvidenceSentence[] = [];
  for (const candidate of scoreSentences(candidates, passages, asked)) {
    const written = withPreceding(candidate, sentences);
    const samePassage = picked.filter(
      ({ source, passageId }) => source === candidate.source && passageId === candidate.passageId,
    );
    const isRepetition =
      containsSentence(sentences, candidate) ||
      picked.some(
        ({ terms: other, text }) => text === candidate.text || isSameStatement(other, candidate.terms, terms),
      );
    const isFull = samePassage.length >= MAX_PER_PASSAGE || sentences.length + written.length > most;
    if (isRepetition || isFull) continue;
    picked.push(candidate);
    sentences.push(...written);
  }
  return sentences;
}
