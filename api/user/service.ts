import type { Language } from "#shared/messages/language.ts";
import { COUNTED_LIMITS, type CountedLimit, createUsage } from "#shared/billing/daily-usage.ts";
import { parsePreferences } from "#shared/user/merge-preferences.ts";
import { calculateStreak } from "#shared/user/streak.ts";
import { utcDay } from "#shared/user/days.ts";
import type { Preferences, Streak, Usage } from "#shared/user/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { recordFigure } from "#api/store/figures/figure-store.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import type { Own } from "#api/store/owned-store.ts";
import { recordFirstLimit } from "./first-limits.ts";
import {
  clearStudyDay,
  findPreferences,
  findUsage,
  findUser,
  listStudyDays,
  decrementUsage,
  incrementUsage,
  saveStudyDay,
  type StudyDay,
  type UsageDoc,
} from "./store.ts";

type UsageContext = Pick<UserCtx, "own" | "clock">;

/** What was counted and on which day, so that it can be refunded. */
export interface Counted {
  counter: CountedLimit;
  by: number;
  period: string;
}
export type CountOutcome = { outcome: "counted"; counted: Counted } | { outcome: "limit_reached"; limit: number };

/**
 * Counts a use against today's quota before the work starts, atomically, so that concurrent calls cannot exceed the
 * limit.
 */
export async function countUsage(
  ctx: UsageContext,
  counter: CountedLimit,
  by: number,
  limit: number,
): Promise<CountOutcome> {
  const counting = await takeUsage(ctx, counter, by, limit);
  if (counting.outcome === "counted") await counting.recordFigures();
  return counting;
}

type TakenUsage = Extract<CountOutcome, { outcome: "counted" }> & { recordFigures: () => Promise<void> };

/** Like `countUsage`, but the caller writes the day's figures, beside what it writes itself. */
export async function takeUsage(
  { own, clock }: UsageContext,
  counter: CountedLimit,
  by: number,
  limit: number,
): Promise<TakenUsage | Extract<CountOutcome, { outcome: "limit_reached" }>> {
  const now = clock.now();
  const period = utcDay(now);
  const usage = await incrementUsage(own, { counter, by, limit, period, now });
  if (!usage) {
    await recordFirstLimit(own, counter, now);
    return { outcome: "limit_reached", limit };
  }
  return { outcome: "counted", counted: { counter, by, period }, recordFigures: () => countUses(own, usage) };
}

/** Refunds a use on the day it was counted. */
export async function refundUsage(own: Own, { counter, by, period }: Counted): Promise<void> {
  const usage = await decrementUsage(own, counter, by, period);
  if (usage) await countUses(own, usage);
}

/** Counts the whole day's uses and refunds; of two writers, the one that knows more changes wins. */
async function countUses(own: Own, usage: UsageDoc): Promise<void> {
  const { period, refunded = {}, changes = 0, ...counters } = usage;
  const sums: Record<string, number> = {};
  for (const counter of COUNTED_LIMITS) {
    const given = refunded[counter] ?? 0;
    sums[counter] = counters[counter] + given;
    sums[`${counter}Refunded`] = given;
  }
  const dims = { version: programVersion };
  await recordFigure(own, { figure: "usage", id: period, at: Date.parse(period), dims, sums, sourceVersion: changes });
}

/** Today's usage (UTC); zeros if there is none. */
export async function readUsage({ own, clock }: UsageContext): Promise<Usage> {
  const empty = createUsage(own.ownerId, clock.now());
  const doc = await findUsage(own, empty.period);
  if (!doc) return empty;
  const {
    _id: _,
    ownerId: userId,
    lastStudiedAt: __,
    reviewsCounted: ___,
    refunded: ____,
    changes: _____,
    ...counters
  } = doc;
  return { userId, ...counters };
}

/** The streak computed from the study days. */
export async function readStreak({ own, clock }: UsageContext): Promise<Streak> {
  const now = clock.now();
  const days = await listStudyDays(own, utcDay(now));
  const streak = calculateStreak(days.flatMap((day) => day.lastStudiedAt ?? []));
  return { user: own.ownerId, ...streak, createdAt: days[0]?.createdAt ?? now, updatedAt: streak.lastStudied ?? now };
}

/** Stores the totals of one UTC day, from which the streak is computed. */
export const recordStudyDay = (own: Own, day: StudyDay): Promise<void> => saveStudyDay(own, day);

export const resetStudyDay = (own: Own, period: string): Promise<void> => clearStudyDay(own, period);

export async function getTimezone(own: Own): Promise<string> {
  return (await findUser(own))?.timezone ?? "UTC";
}

/** The student's preferences, with defaults for values that were not set. */
export async function getPreferences(own: Own): Promise<Preferences> {
  return parsePreferences(await findPreferences(own));
}

/** The student's language setting, otherwise the language of the requesting browser. */
export async function readLanguage({ own, language }: Pick<UserCtx, "own" | "language">): Promise<Language> {
  const { appearance } = await getPreferences(own);
  return appearance.language === "system" ? language() : appearance.language;
}
