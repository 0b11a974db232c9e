import { NEW_CARD_ANSWERS } from "./day.ts";
import { NEW_CARDS_PER_DAY } from "./session.ts";
import type { DueDeck } from "./schema.ts";

interface Options {
  now: number;
  /** Decks of the sample content: they come after the student's own. */
  samplePageIds: ReadonlySet<string>;
}

/** Whether the deck has an exam ahead: then its study plan decides what to review, not the due dates. */
export const isPlanned = ({ examAt, minutesPerDay }: DueDeck, now: number): boolean =>
  examAt !== null && minutesPerDay !== null && examAt > now;

/** Decks with something to study today, in the order of "Study all due"; the sample only if nothing else is left. */
export function decksToStudy(decks: readonly DueDeck[], { now, samplePageIds }: Options): DueDeck[] {
  const studiable = decks.filter(({ due, fresh }) => due > 0 || fresh > 0);
  const rank = (deck: DueDeck) =>
    (samplePageIds.has(deck.pageId) ? 4 : 0) + (isPlanned(deck, now) ? 1 : 0) + (deck.due > 0 ? 0 : 2);
  return studiable.toSorted((a, b) => rank(a) - rank(b) || b.due - a.due);
}

/** The decks of one session across all decks: due ones, or new cards if nothing is due. */
export function decksInSession(decks: readonly DueDeck[], options: Options): DueDeck[] {
  const own = decksToStudy(decks, options).filter(({ pageId }) => !options.samplePageIds.has(pageId));
  const candidates = own.length > 0 ? own : decksToStudy(decks, options);
  const due = candidates.filter((deck) => deck.due > 0 || isPlanned(deck, options.now));
  return due.length > 0 ? due : candidates;
}

interface TodaySummary {
  due: number;
  /** At most this many new cards are introduced today. */
  fresh: number;
  /** New cards that wait for the days after. */
  later: number;
  /** For what is due, or else for the new cards. */
  minutes: number;
}

/** The totals of "Study all due". */
export function summariseToday(decks: readonly DueDeck[], options: Options, secondsPerReview: number): TodaySummary {
  const session = decksInSession(decks, options);
  const due = session.reduce((sum, deck) => sum + deck.due, 0);
  const fresh = session.reduce((sum, deck) => sum + Math.min(deck.fresh, NEW_CARDS_PER_DAY), 0);
  const later = session.reduce((sum, deck) => sum + Math.max(0, deck.fresh - NEW_CARDS_PER_DAY), 0);
  const seconds = due > 0 ? due * secondsPerReview : fresh * secondsPerReview * NEW_CARD_ANSWERS;
  return { due, fresh, later, minutes: Math.max(1, Math.round(seconds / 60)) };
}
