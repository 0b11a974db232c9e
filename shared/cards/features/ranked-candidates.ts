import type { Candidate, CardStyle } from "../generate/candidates.ts";
import type { EngineCard } from "../schema.ts";
import { withOtherForm } from "./short-form-expansion.ts";
import { isGeneralWord, type Term, type TermIndex } from "../source/terms.ts";
import { bareName, contentStems, phraseKey } from "#shared/text/words.ts";

/** How much a card of this style teaches, all else equal. */
export const STYLE_PRIOR: Readonly<Record<CardStyle, number>> = {
  definition: 1,
  list: 0.95,
  term: 0.8,
  why: 1.15,
  compare: 1.1,
  how: 0.9,
  when: 0.75,
  fact: 0.7,
  short_form: 0.45,
  cloze: 0.35,
};

/** A candidate with what it is worth. */
export interface Ranked {
  candidate: Candidate;
  score: number;
  /** What the card would add, when last reckoned. */
  gain: number;
  terms: Term[];
  /** The stems of both faces. */
  stems: Set<string>;
  /** The keys of the terms that it asks for or asks about. */
  about: string[];
}

/** "What happens": words of the question itself. */
const ASKS = /^happen/;

const SPARSE_STYLES = /^(?:fact|why|how|when)$/;

/** "What falls into place on the template?": with few words of matter a question fits many answers. */
export function sparsenessPenalty({ style, question }: Candidate, namesTerm: boolean): number {
  if (!SPARSE_STYLES.test(style)) return 0;
  const contentStemCount =
    new Set(contentStems(question).filter((s) => !isGeneralWord(s) && !ASKS.test(s))).size + (namesTerm ? 2 : 0);
  return contentStemCount < 2 ? 0.4 : contentStemCount === 2 ? 0.2 : contentStemCount === 3 ? 0.08 : 0;
}

/** A blank for a word that is set off elsewhere; for one that is set off nowhere. */
const PENALTY_MARKED_ELSEWHERE = 0.1;
const PENALTY_UNMARKED = 0.35;
/** A question that neither asks for nor about anything the source sets off. */
const PENALTY_NO_TERM = 0.15;

/**
 * How much speaks for several right answers: "____ may be initiated by the debtor", where the author neither sets off
 * nor explains what is asked for. `namesTerm`: the question speaks of a term that is set off.
 */
export function termPenaltyOf(candidate: Candidate, namesTerm: boolean, terms: TermIndex): number {
  const { style, answer, fact } = candidate;
  const isMarked = terms.get(bareName(answer))?.isMarked === true;
  if (style === "fact") return isMarked || namesTerm ? 0 : PENALTY_NO_TERM;
  if (style !== "cloze" || fact.marked.some((m) => phraseKey(m) === phraseKey(answer))) return 0;
  if (candidate.isLastResort) return PENALTY_UNMARKED;
  return isMarked ? PENALTY_MARKED_ELSEWHERE : PENALTY_UNMARKED;
}

/** Weight of a term that is worth a card of its own. */
const KEY_TERM_WEIGHT = 0.38;

export const isKeyTerm = (term: Term) => term.isMarked || term.weight >= KEY_TERM_WEIGHT;

export function countOtherStems(text: string, termKey: string | undefined): number {
  const termStems = new Set(contentStems(termKey ?? ""));
  return new Set(contentStems(text).filter((s) => !termStems.has(s) && !isGeneralWord(s))).size;
}

export function toDraftCard({ fact, question, answer, style, withPrevious, withNext, quote }: Candidate): EngineCard {
  const from = withPrevious && fact.previous ? fact.previous.start : fact.start;
  const to = withNext && fact.next ? fact.next.end : fact.end;
  const page = fact.passage.locator.page;
  return {
    question,
    answer: withOtherForm(answer, fact.raw),
    kind: style === "cloze" ? "cloze" : "qa",
    quote: quote ?? fact.passage.text.slice(from, to),
    passageId: fact.passage.id,
    ...(page === undefined ? {} : { page }),
  };
}

/** Puts it with the others of its key. */
export function addToGroup(groups: Map<string, Ranked[]>, key: string, one: Ranked) {
  const group = groups.get(key);
  if (group) group.push(one);
  else groups.set(key, [one]);
}

/** A card that was taken, and where its sentence stands. */
export interface SelectedCard {
  card: EngineCard;
  order: number;
}

/** Both faces of a card. */
export interface CardText {
  question: string;
  answer: string;
}
