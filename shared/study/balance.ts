import { wallClock } from "./day.ts";
import type { ChooseInterval } from "./rules.ts";

const DAY_MS = 86_400_000;

/** The load of the coming days, from which a card's due day is chosen. */
export interface StudyLoad {
  /** Cards due on each study day, today first. */
  load: readonly number[];
  /** Monday first: the share of a usual day's reviews that each weekday should have, 0 to 1. */
  easyDays: readonly number[];
  /** The start of today's study day, epoch ms. */
  startsAt: number;
  /** The weekday of today's study day; Monday is 0. */
  weekday: number;
  /** When the answer is given, epoch ms. */
  now: number;
}

/**
 * Load balancing: chooses, within the scheduler's fuzz range, the day with the lowest load relative to its share. On a
 * tie it chooses the day nearest to the scheduled one.
 */
export function chooseLeastLoaded(days: StudyLoad): ChooseInterval {
  const { load, easyDays, startsAt, weekday, now } = days;
  return ({ min, max }, scheduledDays) => {
    let best: { interval: number; cost: number } | undefined;
    for (let interval = min; interval <= max; interval += 1) {
      const day = Math.floor((now + interval * DAY_MS - startsAt) / DAY_MS);
      const share = easyDays[(weekday + day) % 7] ?? 1;
      // A day off is used only if every day of the range is a day off.
      const cost = ((load[day] ?? 0) + 1) / Math.max(share, 1e-6);
      const isNearer = best && cost === best.cost && distance(interval) < distance(best.interval);
      if (!best || cost < best.cost || isNearer) best = { interval, cost };
    }
    return best?.interval;

    function distance(interval: number): number {
      return Math.abs(interval - scheduledDays);
    }
  };
}

/** The weekday of a study day, Monday is 0: taken at its noon. */
export function weekdayOf(startsAt: number, timezone: string): number {
  const noon = startsAt + 8 * 3_600_000;
  return (new Date(wallClock(noon, timezone)).getUTCDay() + 6) % 7;
}
