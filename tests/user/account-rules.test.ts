import * as fc from "fast-check";
import { expect, test } from "vitest";
import { advanceStreak, liveStreakDays, noStreak, calculateStreak } from "#shared/user/streak.ts";
import { addUsage, createUsage } from "#shared/billing/daily-usage.ts";
import { addUtcMonths, isTimezone, utcDay } from "#shared/user/days.ts";
import { mergePreferences } from "#shared/user/merge-preferences.ts";
import { isPlanActive, isPlanPaused, effectivePlan } from "#shared/billing/effective-plan.ts";
import { Preferences, type Plan } from "#shared/user/schema.ts";

const NOW = Date.UTC(2026, 4, 10, 12);
const DAY_MS = 86_400_000;
const plus: Plan = { type: "PLUS", endAt: null, paused: false, pausedUntil: null };

test.each([
  ["without an end", plus, true],
  ["with a later end", { ...plus, endAt: NOW + 1 }, true],
  ["with a past end", { ...plus, endAt: NOW - 1 }, false],
  ["paused without an end", { ...plus, paused: true }, false],
  ["paused until a later date", { ...plus, paused: true, pausedUntil: NOW + 1 }, false],
  ["paused until an earlier date", { ...plus, paused: true, pausedUntil: NOW - 1 }, true],
  [
    "paused until an earlier date, with a past end",
    { ...plus, endAt: NOW - 1, paused: true, pausedUntil: NOW - 1 },
    false,
  ],
] as const)("judges a plan %s by its end and its pause", (_, plan, isActive) => {
  expect(isPlanActive(plan, NOW)).toBe(isActive);
  expect(effectivePlan(plan, NOW)).toBe(isActive ? "PLUS" : "FREE");
});

test("a missing plan counts as FREE, and a paused one is flagged separately", () => {
  expect(effectivePlan(undefined, NOW)).toBe("FREE");
  expect(effectivePlan(null, NOW)).toBe("FREE");
  expect(isPlanPaused({ ...plus, paused: true }, NOW)).toBe(true);
  expect(isPlanPaused({ ...plus, endAt: NOW - 1 }, NOW)).toBe(false);
});

test("message counters change locally, never go below zero, and reset at UTC midnight", () => {
  const usage = addUsage(createUsage("ada", NOW), "assistantMessages", 2, NOW);
  expect(usage.assistantMessages).toBe(2);
  expect(addUsage(usage, "assistantMessages", -5, NOW).assistantMessages).toBe(0);
  expect(addUsage(usage, "researchMessages", 1, NOW + DAY_MS)).toMatchObject({
    period: "2026-05-11",
    assistantMessages: 0,
    researchMessages: 1,
  });
});

test("the first study sets the streak to 1, and studying again on that UTC day changes nothing", () => {
  const first = advanceStreak(noStreak, NOW);
  expect(first).toEqual({ currentStreak: 1, longestStreak: 1, lastStudied: NOW });
  expect(advanceStreak(first, NOW + 11 * 3_600_000)).toEqual(first);
});

test("studying on the next UTC day adds one, however few minutes passed", () => {
  const beforeMidnight = Date.UTC(2026, 4, 10, 23, 59);
  const streak = advanceStreak(advanceStreak(noStreak, beforeMidnight), beforeMidnight + 2 * 60_000);
  expect(streak).toMatchObject({ currentStreak: 2, longestStreak: 2 });
});

test("a gap of more than one day resets the streak to 1 and keeps the longest", () => {
  const three = [0, 1, 2].reduce((streak, days) => advanceStreak(streak, NOW + days * DAY_MS), noStreak);
  expect(advanceStreak(three, NOW + 4 * DAY_MS)).toMatchObject({ currentStreak: 1, longestStreak: 3 });
});

const times = fc.array(fc.integer({ min: NOW - 40 * DAY_MS, max: NOW }), { maxLength: 60 });

test("the streak depends on the days only, not on order or repetition of reviews", () => {
  fc.assert(
    fc.property(times, (studied) => {
      const streak = calculateStreak(studied);
      expect(calculateStreak([...studied, ...studied].toReversed())).toEqual(streak);
      expect(streak.longestStreak).toBeGreaterThanOrEqual(streak.currentStreak);
      const days = new Set(studied.map(utcDay));
      expect(streak.lastStudied === null).toBe(studied.length === 0);
      const last = streak.lastStudied ?? 0;
      for (let back = 0; back < streak.currentStreak; back += 1)
        expect(days.has(utcDay(last - back * DAY_MS))).toBe(true);
      expect(days.has(utcDay(last - streak.currentStreak * DAY_MS))).toBe(false);
    }),
  );
});

test("a streak that wasn't continued yesterday is shown as ended", () => {
  const streak = { currentStreak: 5, longestStreak: 9, lastStudied: NOW };
  expect(liveStreakDays(streak, NOW + DAY_MS)).toBe(5);
  expect(liveStreakDays(streak, NOW + 2 * DAY_MS)).toBe(0);
  expect(liveStreakDays(noStreak, NOW)).toBe(0);
});

test("new preferences override stored ones key by key", () => {
  const stored = Preferences.parse({ assistant: { width: 500 } });
  const merged = mergePreferences(stored, {
    appearance: { theme: "dark" },
    flashcards: { quiz_question_types: { true_false: false } },
    unknown: 1,
  });
  expect(merged).toEqual({
    ...stored,
    appearance: { ...stored.appearance, theme: "dark" },
    flashcards: {
      ...stored.flashcards,
      quiz_question_types: { ...stored.flashcards.quiz_question_types, true_false: false },
    },
  });
});

test.each([
  { appearance: { theme: "sepia" } },
  { sidebar: null },
  { sidebar: [] },
  { assistant: "wide" },
  { flashcards: { autoplay_interval_seconds: "5" } },
])("rejects %j as preferences", (sent) => {
  expect(mergePreferences(Preferences.parse({}), sent)).toBeUndefined();
});

test("preferences named like built-in object properties have no effect", () => {
  const sent = JSON.parse('{"__proto__": {"minimized": false}, "constructor": 1}') as Record<string, unknown>;
  expect(mergePreferences(Preferences.parse({}), sent)).toEqual(Preferences.parse({}));
});

test.each([
  ["2026-01-31", 1, "2026-02-28"],
  ["2027-12-31", 2, "2028-02-29"],
  ["2026-11-24", 3, "2027-02-24"],
])("%s and %i months later is %s", (day, months, later) => {
  expect(utcDay(addUtcMonths(Date.parse(day), months))).toBe(later);
});

test.each(["Europe/Berlin", "America/Argentina/Ushuaia", "UTC"])("%s is a time zone", (name) => {
  expect(isTimezone(name)).toBe(true);
});

test.each(["Mars/Olympus", "+02:00", "", "Europe", "Europe/Berlin; DROP"])("%j is not a time zone", (name) => {
  expect(isTimezone(name)).toBe(false);
});
