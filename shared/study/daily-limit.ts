import { isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import type { Plan } from "#shared/user/schema.ts";
import type { StudyState } from "./controller.ts";
import { cardsRemainingToday } from "./today.ts";

/** Cards that a plan allows in a day; null without a limit. */
export function dailyCardLimit(plan: Plan | null | undefined, now: number): number | null {
  const { studyCards } = limitsOf(plan, now);
  return isUnlimited("studyCards", studyCards) ? null : studyCards;
}

/** The state under the limit of another plan. The card that is shown may still be answered. */
export function withDailyLimit<S extends StudyState>(state: S, dailyLimit: number | null, now: number): S {
  const allowance = { ...state.allowance, dailyLimit };
  return { ...state, allowance, session: { ...state.session, mayStudy: cardsRemainingToday(allowance, now) } };
}
