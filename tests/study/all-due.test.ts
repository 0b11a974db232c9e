import { expect, test } from "vitest";
import { decksInSession, summariseToday } from "#shared/study/all-due.ts";
import type { DueDeck } from "#shared/study/schema.ts";

const aDeck = (componentId: string, due: number, fresh = 0, more: Partial<DueDeck> = {}): DueDeck => ({
  componentId,
  pageId: `page-${componentId}`,
  title: componentId,
  due,
  fresh,
  total: 50,
  examAt: null,
  minutesPerDay: null,
  examId: null,
  ...more,
});
const options = { now: 1000, samplePageIds: new Set(["page-sample"]) };
const idsOf = (decks: readonly DueDeck[]) => decksInSession(decks, options).map(({ componentId }) => componentId);

test("a session across decks has those with due cards, most first, and exam plans after them", () => {
  const planned = aDeck("exam", 9, 0, { examAt: 5000, minutesPerDay: 10 });
  expect(idsOf([aDeck("few", 2), planned, aDeck("many", 8), aDeck("new", 0, 4)])).toEqual(["many", "few", "exam"]);
});

test("where nothing is due, it has the decks with new cards", () => {
  expect(idsOf([aDeck("none", 0), aDeck("new", 0, 4)])).toEqual(["new"]);
});

test("the sample is in it only if the student has nothing of their own to study", () => {
  expect(idsOf([aDeck("sample", 30), aDeck("own", 1)])).toEqual(["own"]);
  expect(idsOf([aDeck("sample", 30), aDeck("own", 0)])).toEqual(["sample"]);
});

test("new cards count up to the daily number of each deck, and minutes follow the student's pace", () => {
  expect(summariseToday([aDeck("a", 20, 300), aDeck("b", 10, 5)], options, 12)).toEqual({
    due: 30,
    fresh: 25,
    later: 280,
    minutes: 6,
  });
  // 20 new cards of 12 seconds take more than one answer each.
  expect(summariseToday([aDeck("a", 0, 300)], options, 12)).toMatchObject({ due: 0, fresh: 20, minutes: 9 });
});
