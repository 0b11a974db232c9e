import type { Candidate, CardStyle } from "../generate/candidates.ts";
import { BLANK, type EngineCard } from "../schema.ts";
import { withOtherForm } from "./short-form-expansion.ts";
import { isGeneralWord, type Term, type TermIndex } from "../source/terms.ts";
import { bareName, contentStems, phraseKey } from "#shared/text/words.ts";

/** How much a card of each style teaches, all else equal. */
export const STYLE_PRIOR: Readonly<Record<CardStyle, number>> = {
  definition: 1,
  list: 0.95,
  term: 0.8,
  why: 1.15,
  compare: 1.1,
  how: 0.9,
  when: 0.75,
  fact: 0.7,
  cell: 1.5,
  formula: 1.5,
  short_form: 0.45,
  cloze: 0.35,
};

/** A candidate with its score. */
export interface Ranked {
  candidate: Candidate;
  score: number;
  /** The score for a deck that need not be full. */
  strictScore: number;
  /** The score with what the card would add to the deck, when last computed. */
  gain: number;
  terms: Term[];
  /** The stems of question and answer. */
  stems: Set<string>;
  /** The keys of the terms that the card asks for or about. */
  askedTermKeys: string[];
}

/** "What happens": a word of the question pattern. */
const HAPPEN_VERB = /^happen/;

const SPARSE_STYLES = /^(?:fact|why|how|when)$/;

/** "What falls into place on the template?": a question with few content words fits many answers. */
export function sparsenessPenalty({ style, question }: Candidate, namesTerm: boolean): number {
  if (!SPARSE_STYLES.test(style)) return 0;
  const contentStemCount =
    new Set(contentStems(question).filter((s) => !isGeneralWord(s) && !HAPPEN_VERB.test(s))).size + (namesTerm ? 2 : 0);
  return contentStemCount < 2 ? 0.4 : contentStemCount === 2 ? 0.2 : contentStemCount === 3 ? 0.08 : 0;
}

/** For a blank whose word is emphasised only in another sentence, and for one whose word is never emphasised. */
const PENALTY_MARKED_ELSEWHERE = 0.1;
const PENALTY_UNMARKED = 0.35;
/** For a question about no emphasised term. */
const PENALTY_NO_TERM = 0.15;

/**
 * The penalty for asking for something that the author neither emphasises nor explains, which often has several right
 * answers. `namesTerm`: the question contains an emphasised term.
 */
export function termPenaltyOf(candidate: Candidate, namesTerm: boolean, terms: TermIndex): number {
  const { style, answer, fact } = candidate;
  const isMarked = terms.get(bareName(answer))?.isMarked === true;
  if (style === "fact") return isMarked || namesTerm ? 0 : PENALTY_NO_TERM;
  if (style !== "cloze" || fact.emphasised.some((m) => phraseKey(m) === phraseKey(answer))) return 0;
  if (candidate.isLastResort) return PENALTY_UNMARKED;
  return isMarked ? PENALTY_MARKED_ELSEWHERE : PENALTY_UNMARKED;
}

/** Weight of a term that deserves a card of its own. */
const KEY_TERM_WEIGHT = 0.38;

export const isKeyTerm = (term: Term) => term.isMarked || term.weight >= KEY_TERM_WEIGHT;

export function countOtherStems(text: string, termKey: string | undefined): number {
  const termStems = new Set(contentStems(termKey ?? ""));
  return new Set(contentStems(text).filter((s) => !termStems.has(s) && !isGeneralWord(s))).size;
}

export function toDraftCard({ fact, question, answer, withPrevious, withNext, quote }: Candidate): EngineCard {
  const from = withPrevious && fact.previous ? fact.previous.start : fact.start;
  const to = withNext && fact.next ? fact.next.end : fact.end;
  const page = fact.passage.locator.page;
  return {
    question,
    answer: withOtherForm(answer, fact.original),
    kind: question.includes(BLANK) ? "cloze" : "qa",
    quote: quote ?? fact.passage.text.slice(from, to),
    passageId: fact.passage.id,
    ...(page === undefined ? {} : { page }),
  };
}

export function addToGroup(groups: Map<string, Ranked[]>, key: string, entry: Ranked) {
  const group = groups.get(key);
  if (group) group.push(entry);
  else groups.set(key, [entry]);
}

/** A selected card with the position of its sentence. */
export interface SelectedCard {
  card: EngineCard;
  order: number;
}

/** Question and answer of a card. */
export interface CardText {
  question: string;
  answer: string;
}
