import { Preferences, type Streak, type Usage } from "./schema.ts";

const DAY_MS = 86_400_000;

/** The UTC day, as YYYY-MM-DD; counters and streaks use it. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The last millisecond of a UTC day written as 2027-06-30; undefined if it is no date. */
export function endOfUtcDay(day: string): number | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  // Date.parse takes 30 February for 2 March.
  return Number.isNaN(start) || utcDay(start) !== day ? undefined : start + DAY_MS - 1;
}

const dayNumber = (at: number) => Math.floor(at / DAY_MS);

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

export type StreakCount = Pick<Streak, "currentStreak" | "longestStreak" | "lastStudied">;
export const noStreak: StreakCount = { currentStreak: 0, longestStreak: 0, lastStudied: null };

/**
 * The streak after studying at `at`: the same UTC day changes nothing, the next adds one, a later one restarts at 1.
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

/** Whether the platform supports the IANA time zone name. */
export function isTimezone(name: string): boolean {
  // Some engines accept offsets such as "+02:00", which have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Merges `sent` into `stored` recursively; omitted keys keep their value. */
function mergeKeys(stored: Record<string, unknown>, sent: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...stored };
  for (const [key, value] of Object.entries(sent)) {
    if (value === undefined || !Object.hasOwn(stored, key)) continue;
    const before = stored[key];
    merged[key] = isRecord(before) && isRecord(value) ? mergeKeys(before, value) : value;
  }
  return merged;
}

/** Preferences after a save; undefined if a value is invalid for its key. */
export function mergePreferences(stored: Preferences, sent: Record<string, unknown>): Preferences | undefined {
  return Preferences.safeParse(mergeKeys(stored, sent)).data;
}

/** Stored preferences with defaults filled in; a value that is no longer valid is replaced by its default. */
export function parsePreferences(stored: Record<string, unknown>): Preferences {
  const defaults = Preferences.parse({});
  const whole = mergePreferences(defaults, stored);
  if (whole) return whole;
  return Object.entries(stored).reduce(
    (read, [key, value]) => mergePreferences(read, { [key]: value }) ?? read,
    defaults,
  );
}

/** The changed values, by dotted path. */
export function changedPreferences(before: object, after: object, path = ""): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after)) {
    const old = (before as Record<string, unknown>)[key];
    if (isRecord(value) && isRecord(old)) Object.assign(changes, changedPreferences(old, value, `${path}${key}.`));
    else if (value !== old) changes[`${path}${key}`] = value;
  }
  return changes;
}
