import { dayNumber } from "./days.ts";
import type { Streak } from "./schema.ts";

export type StreakCount = Pick<Streak, "currentStreak" | "longestStreak" | "lastStudied">;
export const noStreak: StreakCount = { currentStreak: 0, longestStreak: 0, lastStudied: null };

/**
 * The streak after studying at `at`: on the same UTC day nothing changes, on the next day one is added, and later it
 * restarts at 1.
 */
export function advanceStreak<S extends StreakCount>(streak: S, at: number): S {
  if (streak.lastStudied === null) return { ...streak, ...streakAt(1, streak, at) };
  const gap = dayNumber(at) - dayNumber(streak.lastStudied);
  if (gap <= 0) return streak;
  return { ...streak, ...streakAt(gap === 1 ? streak.currentStreak + 1 : 1, streak, at) };
}

function streakAt(currentStreak: number, before: StreakCount, at: number): StreakCount {
  return { currentStreak, longestStreak: Math.max(before.longestStreak, currentStreak), lastStudied: at };
}

/** The streak of a list of study times, in any order. */
export function calculateStreak(times: readonly number[]): StreakCount {
  const inOrder = times.toSorted((a, b) => a - b);
  const last = inOrder.at(-1);
  return last === undefined ? noStreak : { ...inOrder.reduce(advanceStreak, noStreak), lastStudied: last };
}

/**
 * The streak to show today: 0 if the last day is before yesterday, although the stored streak is only reset by the next
 * study.
 */
export function liveStreakDays(streak: StreakCount, now: number): number {
  if (streak.lastStudied === null) return 0;
  return dayNumber(now) - dayNumber(streak.lastStudied) > 1 ? 0 : streak.currentStreak;
}
