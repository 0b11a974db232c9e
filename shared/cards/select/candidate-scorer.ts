import type { Candidate } from "../generate/candidates.ts";
import type { DocumentFrequency } from "../features/document-frequency.ts";
import { ambiguityPenalty, stylePenalty } from "../features/penalties.ts";
import {
  countOtherStems,
  type Ranked,
  sparsenessPenalty,
  STYLE_PRIOR,
  termPenaltyOf,
} from "../features/ranked-candidates.ts";
import type { Topicality } from "../features/topicality.ts";
import { salience } from "../source/facts.ts";
import type { Lexicon } from "../source/lexicon.ts";
import { contentStems } from "#shared/text/words.ts";
import type { DeckLimits } from "./deck-limits.ts";
import { isIntroduction } from "./term-coverage.ts";

/** A definition may use words that occur nowhere else: "The ____ is the smallest unit". */
const explains = ({ style, question }: Candidate) =>
  /^(?:definition|term|list)$/.test(style) || /____ (?:is|are) (?:an?|the) /.test(question);

/** An abbreviation that the source uses less often needn't be learnt. */
const MIN_SHORT_FORM_COUNT = 4;

/** The penalty for a card that has none of the stems that occur throughout its source. */
const OFF_TOPIC_PENALTY = 0.6;

interface ScoringInput {
  lexicon: Lexicon;
  /** Stems of the student's instructions. */
  focus: ReadonlySet<string>;
  topicality: Topicality;
  documentFrequency: DocumentFrequency;
}

/** Scores candidates before any is selected. */
export class CandidateScorer {
  readonly #input: ScoringInput;
  readonly #limits: Pick<DeckLimits, "fillFrom" | "allowsAllStyles">;

  constructor(input: ScoringInput, limits: Pick<DeckLimits, "fillFrom" | "allowsAllStyles">) {
    this.#input = input;
    this.#limits = limits;
  }

  score(candidate: Candidate): Ranked {
    const { lexicon, focus, documentFrequency } = this.#input;
    const { termKey, question, answer, style, fact } = candidate;
    const term = termKey === undefined ? undefined : lexicon.terms.byKey(termKey);
    const termWeight = term ? 0.25 * Math.min(1.5, term.weight) : 0;
    const fullText = `${question} ${answer}`;
    const subject = lexicon.terms.findIn(question).filter(({ isMarked }) => isMarked);
    const askedTermKeys = [...new Set([...subject.map(({ key }) => key), ...(termKey === undefined ? [] : [termKey])])];
    const stems = new Set(contentStems(fullText));
    const richness = Math.min(14, stems.size) * 0.03;
    const depth = isIntroduction(candidate) ? 0.04 * Math.min(12, countOtherStems(fullText, termKey)) : 0;
    const namesTerm = subject.length > 0;
    const mayBeShort = this.#limits.fillFrom === undefined;
    const penalties =
      sparsenessPenalty(candidate, namesTerm) +
      termPenaltyOf(candidate, namesTerm, lexicon.terms) +
      documentFrequency.ubiquityPenalty(candidate, subject);
    const fullScore =
      STYLE_PRIOR[style] + termWeight + richness + depth - penalties + 0.15 * salience(fact, lexicon, focus);
    const strictScore = fullScore - this.#optionalPenalty(candidate, stems);
    const score = mayBeShort ? strictScore : fullScore;
    return { candidate, score, strictScore, gain: score, terms: lexicon.terms.findIn(fullText), stems, askedTermKeys };
  }

  /** The penalty for what a deck may leave out if it doesn't have to be full. */
  #optionalPenalty(candidate: Candidate, stems: ReadonlySet<string>): number {
    const { lexicon, topicality, documentFrequency } = this.#input;
    const term = candidate.termKey === undefined ? undefined : lexicon.terms.byKey(candidate.termKey);
    if (candidate.style === "short_form" && (term?.count ?? 0) < MIN_SHORT_FORM_COUNT) return OFF_TOPIC_PENALTY;
    const isOffTopic = !explains(candidate) && topicality.isOffTopic(stems);
    const style = this.#limits.allowsAllStyles ? 0 : stylePenalty(candidate);
    return (
      style + ambiguityPenalty(candidate) + (isOffTopic ? OFF_TOPIC_PENALTY : 0) + documentFrequency.penalty(candidate)
    );
  }
}
