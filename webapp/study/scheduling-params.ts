import { chooseLeastLoaded, weekdayOf } from "#shared/study/balance.ts";
import type { ChooseInterval, StudyParams } from "#shared/study/rules.ts";
import type { StudyDay } from "#shared/study/session.ts";
import type { Bucket } from "#shared/user/schema.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { store } from "#webapp/app/store.ts";
import type { Allowance, SchedulingInput } from "#shared/study/cached-decks.ts";

const getPreferences = () => store.get(preferencesAtom).flashcards;

/** Scheduling parameters: the deck's settings, with the student's preferences as defaults. */
export function getStudyParams({ settings, weights }: Pick<SchedulingInput, "settings" | "weights">): StudyParams {
  return { desiredRetention: settings.desiredRetention ?? getPreferences().desired_retention, weights };
}

/** Chooses the least busy day near the due date; without load data the scheduler's own fuzz applies. */
export function createIntervalChooser(
  { load }: SchedulingInput,
  day: StudyDay,
  { timezone }: Allowance,
): ChooseInterval | undefined {
  if (load.length === 0) return undefined;
  const { now, startsAt } = day;
  return chooseLeastLoaded({
    load,
    easyDays: getPreferences().easy_days,
    startsAt,
    weekday: weekdayOf(startsAt, timezone),
    now,
  });
}

export const getNewCardsPerDay = (): number => getPreferences().new_cards_per_day;

export const getLearnBucket = (): Bucket => getPreferences().bucket;
