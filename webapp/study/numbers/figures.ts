import type { Output } from "#shared/contract/endpoint.ts";
import type { v1 } from "#shared/contract/v1.ts";
import { languageHere } from "#shared/messages/language.ts";
import { client } from "#webapp/app/client.ts";

export type Statistics = Output<typeof v1.study.getStatistics>;

/** Statistics of one deck, or of all decks if none is given. */
export const askFigures = (componentId: string | undefined): Promise<Statistics> =>
  client.study.getStatistics(componentId === undefined ? {} : { componentId });

export interface Bar {
  name: string;
  value: number;
}

const DAY_MS = 86_400_000;
const dayName = new Intl.DateTimeFormat(languageHere(), { weekday: "short", day: "numeric", month: "short" });

/** The name of the day this many days from today. */
export const nameOfDay = (now: number, ahead: number): string => dayName.format(now + ahead * DAY_MS);

/** Minutes studied on each of the last `count` days, oldest first. */
export function minutesOf(days: Statistics["days"], now: number, count: number): Bar[] {
  const known = new Map(days.map(({ ago, minutes }) => [ago, minutes]));
  return Array.from({ length: count }, (_, at) => {
    const ago = count - 1 - at;
    return { name: nameOfDay(now, -ago), value: Math.round((known.get(ago) ?? 0) * 10) / 10 };
  });
}

export interface HeatCell {
  ago: number;
  week: number;
  weekday: number;
  reviews: number;
  /** 0 for none to 4 for the maximum. */
  level: number;
}

const WEEKS = 53;

/** The last year by weeks, Monday first, with today in the last column. */
export function heatOf(days: Statistics["days"], now: number): HeatCell[] {
  const known = new Map(days.map(({ ago, reviews }) => [ago, reviews]));
  const most = Math.max(1, ...days.filter(({ ago }) => ago < WEEKS * 7).map(({ reviews }) => reviews));
  const today = (new Date(now).getDay() + 6) % 7;
  return Array.from({ length: (WEEKS - 1) * 7 + today + 1 }, (_, at) => {
    const ago = (WEEKS - 1) * 7 + today - at;
    const reviews = known.get(ago) ?? 0;
    const level = reviews === 0 ? 0 : Math.min(4, 1 + Math.floor((reviews / most) * 3.999));
    return { ago, week: Math.floor(at / 7), weekday: at % 7, reviews, level };
  });
}
