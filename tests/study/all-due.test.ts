import { expect, test } from "vitest";
import { countToday, decksInSession, nextInSession, summariseToday } from "#shared/study/all-due.ts";
import type { DueDeck } from "#shared/study/schema.ts";

const aDeck = (componentId: string, due: number, fresh = 0, more: Partial<DueDeck> = {}): DueDeck => ({
  componentId,
  pageId: `page-${componentId}`,
  title: componentId,
  due,
  fresh,
  introduced: 0,
  total: 50,
  examAt: null,
  minutesPerDay: null,
  examId: null,
  ...more,
});
const options = { now: 1000, newPerDay: 20, samplePageIds: new Set(["page-sample"]) };
const idsOf = (decks: readonly DueDeck[]) => decksInSession(decks, options).map(({ componentId }) => componentId);

const planned = aDeck("exam", 9, 0, { examAt: 5000, minutesPerDay: 10 });

test("a session across decks has those with due cards, most first, then exam plans, then new cards", () => {
  const decks = [aDeck("few", 2), planned, aDeck("many", 8), aDeck("new", 0, 4)];
  expect(idsOf(decks)).toEqual(["many", "few", "exam", "new"]);
});

test("a deck with an exam ahead counts its plan's cards of today, and nothing is summed up before the plan is known", () => {
  const decks = [planned, aDeck("other", 3, 2)];
  expect(countToday(planned, options)).toBeUndefined();
  expect(summariseToday(decks, options, 12)).toBeUndefined();
  const known = { ...options, planned: new Map([["exam", { cards: 4, minutes: 6 }]]) };
  expect(summariseToday(decks, known, 12)).toMatchObject({ due: 3, fresh: 2, planned: 4, minutes: 8 });
  // Where no plan can be made, due dates decide, as in the session.
  expect(countToday(planned, { ...options, planned: new Map([["exam", null]]) })).toMatchObject({ due: 9, planned: 0 });
});

test("a deck whose new cards of today were all introduced has no more of them", () => {
  const deck = aDeck("a", 0, 30, { introduced: 20 });
  expect(countToday(deck, options)).toMatchObject({ fresh: 0 });
  expect(idsOf([deck, aDeck("b", 1)])).toEqual(["b"]);
});

test("a deck of a list that an earlier version cached counts its new cards", () => {
  const { introduced: _, ...cached } = aDeck("a", 0, 30);
  // The cache returns what was stored, without parsing it.
  expect(countToday(cached as DueDeck, options)).toMatchObject({ fresh: 20 });
  expect(idsOf([cached as DueDeck])).toEqual(["a"]);
});

test("new cards that were introduced on an earlier day leave today's number whole", () => {
  const deck = { ...aDeck("a", 0, 30), introduced: 20, introducedUntil: 2000 };
  expect(countToday(deck, { ...options, now: 1999 })).toMatchObject({ fresh: 0 });
  expect(countToday(deck, { ...options, now: 2000 })).toMatchObject({ fresh: 20 });
});

const nextId = (decks: readonly DueDeck[], ...passed: string[]) => nextInSession(decks, options, passed)?.componentId;

test("a session that began with the student's own decks ends with them, and the sample's goes on", () => {
  // Its cards were answered meanwhile.
  const done = aDeck("own", 0);
  const more = { ...aDeck("sample-2", 5), pageId: "page-sample" };
  expect(nextId([done, aDeck("other", 3), aDeck("sample", 30)], "own")).toBe("other");
  expect(nextId([done, aDeck("sample", 30)], "own")).toBeUndefined();
  expect(nextId([aDeck("sample", 0), more], "sample")).toBe("sample-2");
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
    planned: 0,
    plannedMinutes: 0,
    later: 280,
    minutes: 18,
  });
  // 20 new cards of 12 seconds take more than one answer each.
  expect(summariseToday([aDeck("a", 0, 300)], options, 12)).toMatchObject({ due: 0, fresh: 20, minutes: 9 });
});
