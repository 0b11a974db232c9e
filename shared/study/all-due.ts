import { NEW_CARD_ANSWERS } from "./day.ts";
import type { DueDeck } from "./schema.ts";

/** A deck's part of today's exam plan. */
export interface PlannedToday {
  cards: number;
  minutes: number;
}

/** A deck as a device knows it; its counts may be from an earlier day. */
export interface KnownDeck extends DueDeck {
  /** The end of the study day that `introduced` counts; if omitted, that day is today. */
  introducedUntil?: number;
}

interface Options {
  now: number;
  /** New cards per deck and study day. */
  newPerDay: number;
  /** Pages of the sample content, whose decks come after the student's own. */
  samplePageIds: ReadonlySet<string>;
  /** Today's part of the exam plans, by deck; null if a plan could not be made, so that due dates decide. */
  planned?: ReadonlyMap<string, PlannedToday | null> | undefined;
}

/** Whether the deck has an exam ahead, so that its study plan decides what to review instead of the due dates. */
export const isPlanned = ({ examAt, minutesPerDay }: DueDeck, now: number): boolean =>
  examAt !== null && minutesPerDay !== null && examAt > now;

/** The cards of a deck's session today. */
export interface DeckToday {
  due: number;
  /** Cards that come back later today, minutes after their last answer. */
  learning: number;
  fresh: number;
  /** Cards of the exam plan, which replace due and new cards. */
  planned: number;
  /** The time that the exam plan gives these cards. */
  plannedMinutes: number;
}

/** The cards of these decks that come back later today; a list that an earlier version cached offline has no number. */
export const countLearning = (decks: readonly Partial<DueDeck>[]): number =>
  decks.reduce((sum, { learning = 0 }) => sum + learning, 0);

/** When the first of the cards that come back later today is due; null if there is none, or no time is known. */
export function findNextLearning(decks: readonly Partial<DueDeck>[]): number | null {
  const times = decks.flatMap(({ learningAt }) => learningAt ?? []);
  return times.length > 0 ? Math.min(...times) : null;
}

/** The cards of today's session of the deck; undefined until its exam plan is known. */
export function countToday(deck: KnownDeck, { now, newPerDay, planned }: Options): DeckToday | undefined {
  const plan = isPlanned(deck, now) ? planned?.get(deck.componentId) : null;
  if (plan === undefined) return undefined;
  const learning = countLearning([deck]);
  if (plan !== null) return { due: 0, learning, fresh: 0, planned: plan.cards, plannedMinutes: plan.minutes };
  const { due, fresh } = deck;
  // A list that an earlier version cached offline has no number of introduced cards.
  const { introduced }: Partial<DueDeck> = deck;
  const isCountOfToday = deck.introducedUntil === undefined || now < deck.introducedUntil;
  const newToday = isCountOfToday ? Math.max(0, newPerDay - (introduced ?? 0)) : newPerDay;
  return { due, learning, fresh: Math.min(fresh, newToday), planned: 0, plannedMinutes: 0 };
}

/** Decks with something to study today, in the order of "Study all"; sample decks come last. */
export function decksToStudy(decks: readonly KnownDeck[], options: Options): KnownDeck[] {
  const rankInGroup = (deck: DueDeck) => (isPlanned(deck, options.now) ? 1 : deck.due > 0 ? 0 : 2);
  const rank = (deck: DueDeck) => (options.samplePageIds.has(deck.pageId) ? 3 : 0) + rankInGroup(deck);
  return decks
    .filter((deck) => {
      const today = countToday(deck, options);
      return today === undefined || today.due + today.fresh + today.planned > 0;
    })
    .toSorted((a, b) => rank(a) - rank(b) || b.due - a.due);
}

/** The decks of a "Study all" session: the student's own, or the sample decks if no own deck has cards. */
export function decksInSession(decks: readonly KnownDeck[], options: Options): KnownDeck[] {
  const studiable = decksToStudy(decks, options);
  const own = studiable.filter(({ pageId }) => !options.samplePageIds.has(pageId));
  return own.length > 0 ? own : studiable;
}

/** The next deck of the session, after the decks that it has `passed`. */
export function nextInSession(
  decks: readonly KnownDeck[],
  options: Options,
  passed: readonly string[],
): DueDeck | undefined {
  const isSample = ({ pageId }: DueDeck) => options.samplePageIds.has(pageId);
  const first = decks.find(({ componentId }) => componentId === passed[0]);
  // A session that began with the student's own decks does not continue with the sample.
  const hasSample = first !== undefined && isSample(first);
  return decksToStudy(decks, options).find(
    (deck) => !passed.includes(deck.componentId) && (hasSample || !isSample(deck)),
  );
}

/** How many cards "Study all" has, without the exam plans that are not known yet. */
export function countSession(decks: readonly KnownDeck[], options: Options): number {
  const parts = decksInSession(decks, options).map((deck) => countToday(deck, options));
  return parts.reduce((sum, part) => sum + (part ? part.due + part.fresh + part.planned : 0), 0);
}

export interface TodaySummary extends DeckToday {
  minutes: number;
  /** New cards that are left for later days. */
  later: number;
}

/**
 * The totals over the decks of "Study all"; cards that come back later today are counted in all decks. Undefined until
 * every exam plan is known.
 */
export function summariseToday(
  decks: readonly KnownDeck[],
  options: Options,
  secondsPerReview: number,
): TodaySummary | undefined {
  const total = { due: 0, learning: countLearning(decks), fresh: 0, planned: 0, plannedMinutes: 0, later: 0 };
  for (const deck of decksInSession(decks, options)) {
    const today = countToday(deck, options);
    if (!today) return undefined;
    total.due += today.due;
    total.fresh += today.fresh;
    total.planned += today.planned;
    total.plannedMinutes += today.plannedMinutes;
    if (!isPlanned(deck, options.now)) total.later += deck.fresh - today.fresh;
  }
  const answers = total.due + total.fresh * NEW_CARD_ANSWERS;
  const minutes = total.plannedMinutes + (answers * secondsPerReview) / 60;
  return { ...total, minutes: Math.max(1, Math.round(minutes)) };
}
