import type { Flashcard } from "#shared/flashcards/schema.ts";
import { utcDay } from "#shared/user/rules.ts";
import { studyDayEndsAt, studyDayStartsAt } from "./day.ts";
import type { Allowance } from "./kept-decks.ts";
import type { Schedules, StudyDay } from "./session.ts";

/** The student's study day at `now`, epoch ms. */
export function dayOf(now: number, { timezone }: Pick<Allowance, "timezone">): StudyDay {
  return { now, startsAt: studyDayStartsAt(now, timezone), endsAt: studyDayEndsAt(now, timezone) };
}

/** The cards that may be asked now: neither suspended nor put aside for the day. */
export function askedIds({ cards }: { cards: readonly Flashcard[] }, now: number): string[] {
  return cards.filter((card) => !card.isSuspended && (card.buriedUntil ?? 0) <= now).map((card) => card.id);
}

/** Different cards that the plan still allows today; Infinity where it sets no limit. */
export function leftToday({ dailyLimit, studiedToday, period }: Allowance, now: number): number {
  if (dailyLimit === null || dailyLimit === -1) return Number.POSITIVE_INFINITY;
  return Math.max(0, dailyLimit - (period === utcDay(now) ? studiedToday : 0));
}

/** Cards that were answered on this UTC day: seeing them again costs nothing of the plan. */
export function countedToday(schedules: Schedules, now: number): Set<string> {
  const counted = new Set<string>();
  for (const [cardId, { lastReviewedAt }] of schedules)
    if (utcDay(lastReviewedAt ?? 0) === utcDay(now)) counted.add(cardId);
  return counted;
}

/** What the plan allows after a session has counted so many more cards. */
export function countMore(allowance: Allowance, more: number, now: number): Allowance {
  const before = allowance.period === utcDay(now) ? allowance.studiedToday : 0;
  return { ...allowance, period: utcDay(now), studiedToday: Math.max(0, before + more) };
}
