import { expect, test } from "vitest";
import { chooseLeastLoaded } from "#shared/study/balance.ts";

const DAY_MS = 86_400_000;
const now = Date.UTC(2026, 8, 7, 12);
// A Monday; the card may come back from Thursday to Sunday.
const monday = { load: [], startsAt: now - DAY_MS / 3, weekday: 0, now };
const possibleDays = { min: 3, max: 6 };
const noEasyDays = [1, 1, 1, 1, 1, 1, 1];

test("a card avoids easy days, and falls on one only if no other day is possible", () => {
  expect(chooseLeastLoaded({ ...monday, easyDays: noEasyDays })(possibleDays, 5)).toBe(5);
  const withoutSaturday = noEasyDays.with(5, 0);
  expect(chooseLeastLoaded({ ...monday, easyDays: withoutSaturday })(possibleDays, 5)).not.toBe(5);
  const onlyThursday = [1, 1, 1, 1, 0, 0, 0];
  expect(chooseLeastLoaded({ ...monday, easyDays: onlyThursday })(possibleDays, 6)).toBe(3);
  expect(chooseLeastLoaded({ ...monday, easyDays: noEasyDays.map(() => 0) })(possibleDays, 5)).toBe(5);
});

test("of equally suitable days, the one with the fewest reviews is chosen", () => {
  const load = [0, 0, 0, 9, 9, 1, 9];
  expect(chooseLeastLoaded({ ...monday, load, easyDays: noEasyDays })(possibleDays, 3)).toBe(5);
});
