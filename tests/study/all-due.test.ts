import { expect, test } from "vitest";
import { countToday, decksInSession, nextInSession, summariseToday } from "#shared/study/all-due.ts";
import type { DueDeck } from "#shared/study/schema.ts";

const aDeck = (componentId: string, due: number, fresh = 0, more: Partial<DueDeck> = {}): DueDeck => ({
  componentId,
  pageId: `page-${componentId}`,
  title: componentId,
  due,
  learning: 0,
  learningAt: null,
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

test("a session across decks starts with the deck with the most due cards, then exam plans, then decks with new cards only", () => {
  const decks = [aDeck("few", 2), planned, aDeck("many", 8), aDeck("new", 0, 4)];
  expect(idsOf(decks)).toEqual(["many", "few", "exam", "new"]);
});

test("a deck with an exam plan counts the plan's cards of today, and totals are unknown until the plan is", () => {
  const decks = [planned, aDeck("other", 3, 2)];
  expect(countToday(planned, options)).toBeUndefined();
  expect(summariseToday(decks, options, 12)).toBeUndefined();
  const known = { ...options, planned: new Map([["exam", { cards: 4, minutes: 6 }]]) };
  expect(summariseToday(decks, known, 12)).toMatchObject({ due: 3, fresh: 2, planned: 4, minutes: 8 });
  // If no plan can be made, due dates are used, as in the session.
  expect(countToday(planned, { ...options, planned: new Map([["exam", null]]) })).toMatchObject({ due: 9, planned: 0 });
});

test("a deck whose new cards for today were all introduced has no further new cards today", () => {
  const deck = aDeck("a", 0, 30, { introduced: 20 });
  expect(countToday(deck, options)).toMatchObject({ fresh: 0 });
  expect(idsOf([deck, aDeck("b", 1)])).toEqual(["b"]);
});

test("a deck cached by an earlier version, without the count of introduced cards, still counts its new cards", () => {
  const { introduced: _, ...cached } = aDeck("a", 0, 30);
  // The cache returns what was stored, without parsing it.
  expect(countToday(cached as DueDeck, options)).toMatchObject({ fresh: 20 });
  expect(idsOf([cached as DueDeck])).toEqual(["a"]);
});

test("new cards introduced on an earlier day do not reduce today's number of new cards", () => {
  const deck = { ...aDeck("a", 0, 30), introduced: 20, introducedUntil: 2000 };
  expect(countToday(deck, { ...options, now: 1999 })).toMatchObject({ fresh: 0 });
  expect(countToday(deck, { ...options, now: 2000 })).toMatchObject({ fresh: 20 });
});

const nextId = (decks: readonly DueDeck[], ...passed: string[]) => nextInSession(decks, options, passed)?.componentId;

test("a session that began with the student's own decks never continues with the sample, and a sample session does", () => {
  // The cards of this deck were answered meanwhile.
  const done = aDeck("own", 0);
  const more = { ...aDeck("sample-2", 5), pageId: "page-sample" };
  expect(nextId([done, aDeck("other", 3), aDeck("sample", 30)], "own")).toBe("other");
  expect(nextId([done, aDeck("sample", 30)], "own")).toBeUndefined();
  expect(nextId([aDeck("sample", 0), more], "sample")).toBe("sample-2");
});

test("if nothing is due, a session across decks has the decks with new cards", () => {
  expect(idsOf([aDeck("none", 0), aDeck("new", 0, 4)])).toEqual(["new"]);
});

test("a session across decks has the sample only if the student has nothing of their own to study", () => {
  expect(idsOf([aDeck("sample", 30), aDeck("own", 1)])).toEqual(["own"]);
  expect(idsOf([aDeck("sample", 30), aDeck("own", 0)])).toEqual(["sample"]);
});

test("each deck counts new cards up to its daily number, and minutes follow the student's pace", () => {
  expect(summariseToday([aDeck("a", 20, 300), aDeck("b", 10, 5)], options, 12)).toEqual({
    due: 30,
    learning: 0,
    fresh: 25,
    planned: 0,
    plannedMinutes: 0,
    later: 280,
    minutes: 18,
  });
  // Each of the 20 new cards takes more than one answer of 12 seconds.
  expect(summariseToday([aDeck("a", 0, 300)], options, 12)).toMatchObject({ due: 0, fresh: 20, minutes: 9 });
});
