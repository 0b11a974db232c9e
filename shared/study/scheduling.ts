import type { Preferences } from "#shared/user/schema.ts";
import { chooseLeastLoaded, weekdayOf } from "./balance.ts";
import type { Allowance, SchedulingInput } from "./deck/cached-decks.ts";
import type { ChooseInterval, StudyParams } from "./rules.ts";
import { studyDayOf } from "./today.ts";

/** The student's preferences that scheduling depends on. */
export type SchedulingPreferences = Pick<
  Preferences["flashcards"],
  "desired_retention" | "easy_days" | "new_cards_per_day"
>;

/** Scheduling parameters: the deck's settings, with the student's preferences as defaults. */
export function studyParamsOf(
  { settings, weights }: Pick<SchedulingInput, "settings" | "weights">,
  { desired_retention }: Pick<SchedulingPreferences, "desired_retention">,
): StudyParams {
  return { desiredRetention: settings.desiredRetention ?? desired_retention, weights };
}

interface IntervalInput {
  terms: Pick<SchedulingInput, "load">;
  allowance: Pick<Allowance, "timezone">;
  preferences: Pick<SchedulingPreferences, "easy_days">;
}

/** Chooses the least busy day near the due date; without load data the scheduler's own fuzz applies. */
export function createIntervalChooser(
  { terms: { load }, allowance, preferences }: IntervalInput,
  now: number,
): ChooseInterval | undefined {
  if (load.length === 0) return undefined;
  const { startsAt } = studyDayOf(now, allowance);
  const weekday = weekdayOf(startsAt, allowance.timezone);
  return chooseLeastLoaded({ load, easyDays: preferences.easy_days, startsAt, weekday, now });
}
