import type { Output } from "#shared/contract/endpoint.ts";
import type { v1 } from "#shared/contract/v1.ts";
import type { TodaySummary } from "#shared/study/all-due.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { client } from "#webapp/app/client.ts";

export type Statistics = Output<typeof v1.study.getStatistics>;

/** Statistics of one deck, or of all decks if none is given. */
export const fetchStatistics = (componentId: string | undefined): Promise<Statistics> =>
  client.study.getStatistics(componentId === undefined ? {} : { componentId });

/** The forecast of due cards. Today's count includes exam plans and cards that come back later today. */
export const withToday = ([first, ...later]: readonly number[], today: TodaySummary | undefined): readonly number[] =>
  first === undefined ? [] : [today ? today.due + today.learning + today.planned : first, ...later];

const DAY_MS = 86_400_000;
const dayName = new Intl.DateTimeFormat(documentLanguage(), { weekday: "short", day: "numeric", month: "short" });

/** The name of the day this many days from today. */
export const formatDayName = (now: number, daysAhead: number): string => dayName.format(now + daysAhead * DAY_MS);

const longDayName = new Intl.DateTimeFormat(documentLanguage(), { weekday: "long", day: "numeric", month: "long" });

/** The long name, for use in a sentence, because the full stop of an abbreviation would look like its end. */
export const formatLongDayName = (now: number, daysAhead: number): string =>
  longDayName.format(now + daysAhead * DAY_MS);

const weekdayName = new Intl.DateTimeFormat(documentLanguage(), { weekday: "short" });

/** The short weekday of the day this many days from today. */
export const formatWeekday = (now: number, daysAhead: number): string => weekdayName.format(now + daysAhead * DAY_MS);

export interface StudyDay {
  name: string;
  reviews: number;
  minutes: number;
}

/** The reviews and minutes of each of the last `count` days, oldest first. */
export function listLastDays(days: Statistics["days"], now: number, count: number): StudyDay[] {
  const byDay = new Map(days.map((day) => [day.ago, day]));
  return Array.from({ length: count }, (_, index) => {
    const daysAgo = count - 1 - index;
    const { reviews = 0, minutes = 0 } = byDay.get(daysAgo) ?? {};
    return {
      name: daysAgo === 0 ? t("planning.day_today") : formatDayName(now, -daysAgo),
      reviews,
      minutes: Math.round(minutes * 10) / 10,
    };
  });
}

export const YEAR_WEEKS = 53;
const HALF_YEAR_WEEKS = 27;

/** A year, or half of one for a student who has not studied for longer. */
export const weeksToShow = (days: Statistics["days"]): number =>
  Math.max(0, ...days.map(({ ago }) => ago)) < (HALF_YEAR_WEEKS - 1) * 7 ? HALF_YEAR_WEEKS : YEAR_WEEKS;

const monthName = new Intl.DateTimeFormat(documentLanguage(), { month: "short" });
/** Fewer columns leave no space for a month's name before the next one. */
const MIN_MONTH_COLUMNS = 3;

/** The names of the months, each above the first week that begins in it. */
export function monthColumns(now: number, weeks: number): { column: number; name: string }[] {
  const monday = (new Date(now).getDay() + 6) % 7;
  const names = Array.from({ length: weeks }, (_, column) => {
    const name = monthName.format(now - ((weeks - 1 - column) * 7 + monday) * DAY_MS);
    return { column, name };
  });
  const first = names.filter(({ name, column }) => name !== names[column - 1]?.name);
  return first.filter(({ column }, index) => (first[index + 1]?.column ?? weeks) - column >= MIN_MONTH_COLUMNS);
}

/** The names of every second weekday, for the start of its row; weeks begin on Monday. */
export function weekdayRows(now: number): { row: number; name: string }[] {
  const monday = (new Date(now).getDay() + 6) % 7;
  return [0, 2, 4].map((row) => ({ row, name: formatWeekday(now, row - monday) }));
}

/** The last weeks, Monday first, with today in the last column. */
export function toHeatCells(days: Statistics["days"], now: number, weeks: number) {
  const valueByDay = new Map(days.map(({ ago: daysAgo, reviews }) => [daysAgo, reviews]));
  const maxReviews = Math.max(
    1,
    ...days.filter(({ ago: daysAgo }) => daysAgo < weeks * 7).map(({ reviews }) => reviews),
  );
  const today = (new Date(now).getDay() + 6) % 7;
  return Array.from({ length: (weeks - 1) * 7 + today + 1 }, (_, index) => {
    const daysAgo = (weeks - 1) * 7 + today - index;
    const reviews = valueByDay.get(daysAgo) ?? 0;
    const level = reviews === 0 ? 0 : Math.min(4, 1 + Math.floor((reviews / maxReviews) * 3.999));
    const name = formatDayName(now, -daysAgo);
    return { key: String(daysAgo), column: Math.floor(index / 7), row: index % 7, name, value: reviews, level };
  });
}
