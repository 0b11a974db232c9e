import { wallClock } from "./day.ts";
import type { ChooseInterval } from "./rules.ts";

const DAY_MS = 86_400_000;

/** What a device knows of the days to come when it chooses where a card goes. */
export interface Days {
  /** Cards that are due on each study day, today first. */
  load: readonly number[];
  /** Monday first: how much of a usual day's reviews each weekday should carry, 0 to 1. */
  easyDays: readonly number[];
  /** The first moment of today's study day, epoch ms. */
  startsAt: number;
  /** The weekday of today's study day, Monday being 0. */
  weekday: number;
  /** When the answer is given, epoch ms. */
  now: number;
}

/** Of the days that the scheduler leaves open, the one with the least to do for its share; the nearest of equals. */
export function balanced(days: Days): ChooseInterval {
  const { load, easyDays, startsAt, weekday, now } = days;
  return ({ min, max }, scheduledDays) => {
    let best: { interval: number; cost: number } | undefined;
    for (let interval = min; interval <= max; interval += 1) {
      const day = Math.floor((now + interval * DAY_MS - startsAt) / DAY_MS);
      const share = easyDays[(weekday + day) % 7] ?? 1;
      // A day off is taken only where every day of the range is one.
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

/** The weekday that a study day bears, Monday being 0: that of its noon. */
export function weekdayOf(startsAt: number, timezone: string): number {
  const noon = startsAt + 8 * 3_600_000;
  return (new Date(wallClock(noon, timezone)).getUTCDay() + 6) % 7;
}
