import type { Candidate, Style } from "#shared/engine/candidates.ts";
import type { EngineCard } from "#shared/engine/schema.ts";
import { withOtherForm } from "#shared/engine/spelling.ts";
import { isGeneralWord, type Term, type TermIndex } from "#shared/engine/terms.ts";
import { bareName, contentStems, phraseKey } from "#shared/engine/words.ts";

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

/** Where a gain belongs in a pool that is sorted, behind those that are no greater. */
export function placeOf(pool: readonly Ranked[], gain: number): number {
  let [low, high] = [0, pool.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pool[middle]?.gain ?? 0) <= gain) low = middle + 1;
    else high = middle;
  }
  return low;
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

/** "____ and the rest improve", "a tower or ____": one of several. */
const ONE_OF_SEVERAL =
  /____ (?:and|or) |____, (?:[\p{L}-]+ ){0,2}[\p{L}-]+,? (?:and|or) |\b(?:and|or|such as|including|like) (?:an? |a\/an |the )?____/u;
/** "The ____ were sent": which ones was said before. "The ____ is a …" says what it is. */
const WHICH_ONE = /(?:^|\. )The ____ (?!(?:is|are|was|were) (?:an?|the|called|known|defined) )/;
const DOUBT_IN_PLACE = 0.8;

/** "A highly unstable molecule": of three or four words none tells which. */
const THIN_ANSWER = /^An? (?:\S+ ){1,2}\S+$/;
const DOUBT_THIN = 0.9;
/** "What does the wall have?" */
const ASKS_ANYTHING =
  /^What (?:do|does|did) .* (?:have|give|make|use|take|show|need|get|involve|share|enter|review)\?$/;
const DOUBT_ASKED = 0.4;

/** "The zygomycetes belong to the ____ (Zygomycota)", "____ drops out units (Dropout)": a word beside it begins so. */
function isHinted(question: string, answer: string): boolean {
  if (answer.includes(" ") || answer.length < LEAST_START) return false;
  const start = answer.toLowerCase().slice(0, Math.max(LEAST_START, Math.ceil(answer.length * SAME_START)));
  return question
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => word.startsWith(start));
}
const LEAST_START = 5;
const SAME_START = 0.65;

/** What speaks for several right answers where a deck need not be full: the place of the blank. */
export function doubtInPlace({ style, question, answer, fact }: Candidate): number {
  if (style === "definition" && THIN_ANSWER.test(answer)) return DOUBT_THIN;
  if (style === "fact" && ASKS_ANYTHING.test(question)) return DOUBT_ASKED;
  if (style !== "cloze") return 0;
  if (isHinted(question, answer)) return DOUBT_IN_PLACE;
  const isSetOff = fact.marked.some((m) => phraseKey(m) === phraseKey(answer));
  return ONE_OF_SEVERAL.test(question) || (!isSetOff && WHICH_ONE.test(question)) ? DOUBT_IN_PLACE : 0;
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
