import type { Candidate, Style } from "./candidates.ts";
import type { EngineCard } from "./schema.ts";
import { withOtherForm } from "./spelling.ts";
import { isGeneralWord, type Term, type TermIndex } from "./terms.ts";
import { bareName, contentStems, phraseKey } from "./words.ts";

/** How much a card of this style teaches, all else equal. */
export const WORTH: Readonly<Record<Style, number>> = {
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

const THIN_STYLES = /^(?:fact|why|how|when)$/;

/** "What falls into place on the template?": with few words of matter a question fits many answers. */
export function thinnessOf({ style, question }: Candidate, namesTerm: boolean): number {
  if (!THIN_STYLES.test(style)) return 0;
  const said =
    new Set(contentStems(question).filter((s) => !isGeneralWord(s) && !ASKS.test(s))).size + (namesTerm ? 2 : 0);
  return said < 2 ? 0.4 : said === 2 ? 0.2 : said === 3 ? 0.08 : 0;
}

/** A blank for a word that is set off elsewhere; for one that is set off nowhere. */
const DOUBT_ELSEWHERE = 0.1;
const DOUBT_PLAIN = 0.35;
/** A question that neither asks for nor about anything the source sets off. */
const DOUBT_ASIDE = 0.15;

/**
 * How much speaks for several right answers: "____ may be initiated by the debtor", where the author neither sets off
 * nor explains what is asked for. `namesTerm`: the question speaks of a term that is set off.
 */
export function doubtOf(candidate: Candidate, namesTerm: boolean, terms: TermIndex): number {
  const { style, answer, fact } = candidate;
  const isMarked = terms.get(bareName(answer))?.isMarked === true;
  if (style === "fact") return isMarked || namesTerm ? 0 : DOUBT_ASIDE;
  if (style !== "cloze" || fact.marked.some((m) => phraseKey(m) === phraseKey(answer))) return 0;
  if (candidate.isLastResort) return DOUBT_PLAIN;
  return isMarked ? DOUBT_ELSEWHERE : DOUBT_PLAIN;
}

/** Weight of a term that is worth a card of its own. */
const MATTERS = 0.38;

export const isMatter = (term: Term) => term.isMarked || term.weight >= MATTERS;

export function saidBesides(face: string, termKey: string | undefined): number {
  const own = new Set(contentStems(termKey ?? ""));
  return new Set(contentStems(face).filter((s) => !own.has(s) && !isGeneralWord(s))).size;
}

export function draftOf({ fact, question, answer, style, withPrevious, withNext, quote }: Candidate): EngineCard {
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
export function addTo(groups: Map<string, Ranked[]>, key: string, one: Ranked) {
  const group = groups.get(key);
  if (group) group.push(one);
  else groups.set(key, [one]);
}

/** A card that was taken, and where its sentence stands. */
export interface Taken {
  card: EngineCard;
  order: number;
}

/** Both faces of a card. */
export interface Asked {
  question: string;
  answer: string;
}
