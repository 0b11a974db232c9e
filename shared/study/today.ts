import { isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { utcDay } from "#shared/user/days.ts";
import type { Plan } from "#shared/user/schema.ts";
import { studyDayEndsAt, studyDayStartsAt } from "./day.ts";
import type { Allowance } from "./deck/cached-decks.ts";
import type { Schedules, Session, StudyDay } from "./session.ts";

/** The student's study day at `now`, epoch ms. */
export function studyDayOf(now: number, { timezone }: Pick<Allowance, "timezone">): StudyDay {
  return { now, startsAt: studyDayStartsAt(now, timezone), endsAt: studyDayEndsAt(now, timezone) };
}

/** The cards that may be shown now: neither suspended nor buried. */
export function studiableCardIds({ cards }: { cards: readonly Flashcard[] }, now: number): string[] {
  return cards.filter((card) => !card.isSuspended && (card.buriedUntil ?? 0) <= now).map((card) => card.id);
}

/** Cards that a plan allows in a day; null without a limit. */
export function dailyCardLimit(plan: Plan | null | undefined, now: number): number | null {
  const { studyCards } = limitsOf(plan, now);
  return isUnlimited("studyCards", studyCards) ? null : studyCards;
}

/** The state under the limit of another plan. The card that is shown may still be answered. */
export function withDailyLimit<S extends { allowance: Allowance; session: Session }>(
  state: S,
  dailyLimit: number | null,
  now: number,
): S {
  const allowance = { ...state.allowance, dailyLimit };
  return { ...state, allowance, session: { ...state.session, mayStudy: cardsRemainingToday(allowance, now) } };
}

/** Different cards that the plan still allows today; Infinity if unlimited. */
export function cardsRemainingToday({ dailyLimit, studiedToday, period }: Allowance, now: number): number {
  if (dailyLimit === null || dailyLimit === -1) return Number.POSITIVE_INFINITY;
  return Math.max(0, dailyLimit - (period === utcDay(now) ? studiedToday : 0));
}

/** Cards answered on this UTC day, which do not count against the plan again. */
export function countedToday(schedules: Schedules, now: number): Set<string> {
  const counted = new Set<string>();
  for (const [cardId, { lastReviewedAt }] of schedules)
    if (utcDay(lastReviewedAt ?? 0) === utcDay(now)) counted.add(cardId);
  return counted;
}

/** The allowance after a session has counted this many more cards. */
export function addToCount(allowance: Allowance, more: number, now: number): Allowance {
  const before = allowance.period === utcDay(now) ? allowance.studiedToday : 0;
  return { ...allowance, period: utcDay(now), studiedToday: Math.max(0, before + more) };
}
