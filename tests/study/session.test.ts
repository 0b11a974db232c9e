import * as fc from "fast-check";
import { expect, test } from "vitest";
import { studyDayEndsAt, studyDayStartsAt } from "#shared/study/day.ts";
import { replay } from "#shared/study/rules.ts";
import {
  answerCard,
  cardsLeft,
  countDue,
  dueQueue,
  nextDueAt,
  startStudySession,
  summariseSession,
  type Session,
  type SessionStart,
} from "#shared/study/session.ts";
import { undoAnswer } from "#shared/study/session-changes.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 4, 10, 12);
const day = { now: NOW, startsAt: NOW - 8 * HOUR_MS, endsAt: NOW + 16 * HOUR_MS };

function scheduleOf(cardId: string, grades: readonly Grade[], agoMs: number, stepMs = DAY_MS): Schedule {
  const reviews = grades.map((given, index) => ({
    _id: `review-${cardId}-${index}`,
    cardId,
    componentId: "deck",
    grade: given,
    reviewedAt: NOW - agoMs + index * stepMs,
  }));
  const schedule = replay(reviews);
  if (!schedule) throw new Error("at least one grade");
  return schedule;
}

const schedulesOf = (...schedules: Schedule[]) => new Map(schedules.map((schedule) => [schedule.cardId, schedule]));

function aSession(parts: Partial<SessionStart>): Session {
  return startStudySession({
    cardIds: ["a", "b", "c"],
    schedules: new Map(),
    day,
    choice: "due",
    mayStudy: Number.POSITIVE_INFINITY,
    counted: new Set(),
    ...parts,
  });
}

let made = 0;
function grade(session: Session, given: Grade, now = NOW): Session {
  const known = session.answers.findLast((answer) => answer.cardId === session.current)?.after;
  made += 1;
  const reviewId = `review-of-session-${made}`;
  const outcome = answerCard(session, {
    reviewId,
    componentId: "deck",
    grade: given,
    schedule: known,
    now,
    durationMs: 2000,
  });
  if (!outcome) throw new Error("no card is asked");
  return outcome.session;
}

test("learning steps come first, then reviews with the lowest retrievability, then new cards in deck order", () => {
  const learning = scheduleOf("learning", [3], HOUR_MS);
  const old = scheduleOf("old", [4], 60 * DAY_MS);
  const recent = scheduleOf("recent", [4], 10 * DAY_MS);
  const later = scheduleOf("later", [4], HOUR_MS);
  const ids = ["new-1", "recent", "later", "new-2", "old", "learning"];
  const schedules = schedulesOf(learning, old, recent, later);
  const queue = dueQueue(ids, schedules, day, { newLimit: 20 });
  expect(queue.learning.map((schedule) => schedule.cardId)).toEqual(["learning"]);
  expect(queue.review).toEqual(["old", "recent"]);
  expect(queue.fresh).toEqual(["new-1", "new-2"]);
  expect(countDue(ids, schedules, day)).toEqual({ due: 3, learning: 0, learningAt: null, fresh: 2, introduced: 2 });
  expect(nextDueAt(ids, schedules)).toBe(old.dueAt);
});

test("new cards stop at the daily limit, including those started earlier today", () => {
  const begunToday = scheduleOf("begun", [4], HOUR_MS);
  const queue = dueQueue(["begun", "a", "b", "c"], schedulesOf(begunToday), day, { newLimit: 3 });
  expect(queue.fresh).toEqual(["a", "b"]);
});

test("a card graded Again comes back in the same session, which ends after the last learning step", () => {
  let session = aSession({ cardIds: ["a", "b"] });
  expect(session.current).toBe("a");
  session = grade(session, 1);
  expect(session.current).toBe("b");
  session = grade(session, 4);
  expect(session.current).toBe("a");
  expect(cardsLeft(session, NOW)).toBe(0);
  session = grade(session, 4);
  expect(session.state).toBe("finished");
  expect(summariseSession(session)).toEqual({ answers: 3, cards: 2, again: 1, durationMs: 6000 });
});

test("undo restores the card, the queue and the counts, back to the start", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Grade>(1, 2, 3, 4), { maxLength: 30 }), (grades) => {
      const start = aSession({ cardIds: ["a", "b", "c", "d"], mayStudy: 3 });
      const seen = [start];
      for (const given of grades) {
        const last = seen.at(-1) ?? start;
        if (last.current !== null) seen.push(grade(last, given, NOW + seen.length * 30_000));
      }
      let session = seen.at(-1) ?? start;
      for (const before of seen.toReversed().slice(1)) {
        const undone = undoAnswer(session);
        expect(undone?.session).toEqual(before);
        session = undone?.session ?? session;
      }
      expect(undoAnswer(session)).toBeUndefined();
    }),
  );
});

test("every due card is asked once, and again only for learning steps", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Grade>(3, 4), { minLength: 40, maxLength: 40 }), (grades) => {
      const ids = Array.from({ length: 10 }, (_, index) => `card-${index}`);
      let session = aSession({ cardIds: ids });
      for (const given of grades) if (session.current !== null) session = grade(session, given);
      expect(session.state).toBe("finished");
      expect(new Set(session.answers.map((answer) => answer.cardId))).toEqual(new Set(ids));
      for (const id of ids)
        expect(session.answers.filter((answer) => answer.cardId === id).length).toBeLessThanOrEqual(2);
    }),
  );
});

test("at the plan's limit no further card is shown, but cards already studied today still return", () => {
  let session = aSession({ mayStudy: 2 });
  session = grade(session, 1);
  session = grade(session, 4);
  expect(session.current).toBe("a");
  session = grade(session, 4);
  expect(session).toMatchObject({ state: "limit_reached", current: null });
});

test("a card already counted today is reviewed again at the limit", () => {
  const learning = scheduleOf("a", [3], HOUR_MS);
  const session = aSession({ schedules: schedulesOf(learning), mayStudy: 0, counted: new Set(["a"]) });
  expect(session.current).toBe("a");
  expect(grade(session, 4).state).toBe("limit_reached");
});

test("with nothing due, a student may study ahead, only new cards, or hard cards", () => {
  const known = scheduleOf("a", [4], HOUR_MS);
  const hard = scheduleOf("b", [4, 1, 4], 3 * DAY_MS);
  const schedules = schedulesOf(known, hard);
  expect(aSession({ cardIds: ["a", "b"], schedules }).state).toBe("finished");
  expect(aSession({ schedules, choice: "hard" })).toMatchObject({ current: "b", queue: { fresh: [] } });
  expect(aSession({ schedules, choice: "new" })).toMatchObject({ current: "c" });
  expect(cardsLeft(aSession({ schedules, choice: "all" }), NOW)).toBe(2);
});

test("a deck without cards is finished at once", () => {
  expect(aSession({ cardIds: [] })).toMatchObject({ state: "finished", current: null });
});

test.each([
  ["Europe/Berlin", "2026-05-10T01:59:59Z", "2026-05-10T02:00:00Z"],
  ["Europe/Berlin", "2026-05-10T02:00:00Z", "2026-05-11T02:00:00Z"],
  ["America/Los_Angeles", "2026-05-10T10:30:00Z", "2026-05-10T11:00:00Z"],
  ["Asia/Kolkata", "2026-05-09T22:29:00Z", "2026-05-09T22:30:00Z"],
  ["UTC", "2026-12-31T23:00:00Z", "2027-01-01T04:00:00Z"],
])("in %s the study day of %s ends at %s", (timezone, now, ends) => {
  expect(new Date(studyDayEndsAt(Date.parse(now), timezone)).toISOString()).toBe(new Date(ends).toISOString());
});

test("the day begins at 04:00 local time on every day, including clock changes", () => {
  const zones = fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC");
  fc.assert(
    fc.property(zones, fc.integer({ min: NOW - 400 * DAY_MS, max: NOW + 400 * DAY_MS }), (timezone, now) => {
      const [start, end] = [studyDayStartsAt(now, timezone), studyDayEndsAt(now, timezone)];
      expect(start).toBeLessThanOrEqual(now);
      expect(end).toBeGreaterThan(now);
      expect(studyDayStartsAt(end, timezone)).toBe(end);
      expect(studyDayEndsAt(start, timezone)).toBe(end);
      const clock = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "short" });
      expect(clock.format(end)).toBe("04:00");
    }),
  );
});
