import { utcDay } from "#shared/user/days.ts";
import type { Usage } from "#shared/user/schema.ts";

export type Counter = Exclude<keyof Usage, "userId" | "period" | "createdAt">;

/** Every counter whose uses are counted one by one, and can be given back; studied cards are derived from reviews. */
export const COUNTED_LIMITS = [
  "assistantMessages",
  "researchMessages",
  "podcastCreations",
  "fileUploads",
  "autocompleteWords",
] as const satisfies readonly Counter[];
export type CountedLimit = (typeof COUNTED_LIMITS)[number];

/** The usage record of a day without usage. */
export function createUsage(userId: string, now: number): Usage {
  return {
    userId,
    period: utcDay(now),
    assistantMessages: 0,
    researchMessages: 0,
    totalCardsStudied: 0,
    fileUploads: 0,
    podcastCreations: 0,
    autocompleteWords: 0,
    createdAt: now,
  };
}

/** Adds `by`, which may be negative; never below zero. A record of an earlier day starts again. */
export function addUsage(usage: Usage, counter: Counter, by: number, now: number): Usage {
  const today = usage.period === utcDay(now) ? usage : createUsage(usage.userId, now);
  return { ...today, [counter]: Math.max(0, today[counter] + by) };
}
