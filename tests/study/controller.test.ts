import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import {
  canStudyCard,
  countDeckDue,
  previewCurrentCard,
  sessionPosition,
  startStudy,
  stepStudy,
  type StudyEvent,
  type StudyRequest,
  type StudyState,
} from "#shared/study/controller.ts";
import { dailyCardLimit, withDailyLimit } from "#shared/study/today.ts";
import { replay } from "#shared/study/rules.ts";
import type { Grade, Review, Schedule } from "#shared/study/schema.ts";
import { aCard } from "#tests/store/changes.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 4, 10, 12);

const cardsOf = (...ids: string[]): Flashcard[] => ids.map((id) => aCard(id));

interface Start {
  cards: readonly Flashcard[];
  schedules?: Schedule[];
  dailyLimit?: number | null;
  favourites?: string[];
  planned?: string[];
  isCached?: boolean;
  /** Due cards by day, from today on. */
  load?: number[];
  desiredRetention?: number;
}

function aStudy({ cards, schedules = [], dailyLimit = null, favourites = [], ...options }: Start) {
  const { planned, isCached = false, load = [], desiredRetention = null } = options;
  const settings = { desiredRetention, examAt: null, minutesPerDay: null, examId: null };
  const allowance = { period: "2026-05-10", studiedToday: 0, dailyLimit, timezone: "UTC" };
  const deck = { componentId: "deck", pageId: "page", pageTitle: "Biology", title: "Genes", cards, sources: new Map() };
  const preferences = { desired_retention: 0.9, easy_days: [1, 1, 1, 1, 1, 1, 1], new_cards_per_day: 20 };
  const loaded = { schedules, allowance, terms: { settings, weights: null, load }, favourites, isCached };
  const plan = planned ? { today: planned } : null;
  return startStudy({ deck, loaded, preferences, bucket: "due", plan }, NOW);
}

function scheduleOf(cardId: string, grades: readonly Grade[], agoMs: number): Schedule {
  const reviews = grades.map((given, at) => ({
    _id: `earlier-${cardId}-${at}`,
    cardId,
    componentId: "deck",
    grade: given,
    reviewedAt: NOW - agoMs + at * DAY_MS,
  }));
  return replay(reviews) as Schedule;
}

/** A session with its requests so far; `requests` is what a device would have stored. */
function aRun(start: StudyState) {
  const run = { state: start, requests: [] as StudyRequest[], now: NOW, reviews: 0 };
  const step = (event: StudyEvent) => {
    const { state, requests } = stepStudy(run.state, event, run.now);
    run.requests.push(...requests);
    run.state = state;
    return requests;
  };
  const answer = (given: Grade, cardId = run.state.session.current ?? "none") => {
    run.reviews += 1;
    step({ type: "reveal" });
    return step({ type: "grade", cardId, grade: given, reviewId: `review-${String(run.reviews).padStart(4, "0")}` });
  };
  const current = () => run.state.session.current;
  const wait = (ms: number) => void (run.now += ms);
  return { run, step, answer, current, wait };
}

const reviewsOf = (requests: readonly StudyRequest[]) =>
  requests.flatMap(({ type, data }): Review[] => (type === "review_add" ? [data] : []));

test("reviews come before new cards in deck order, and an exam plan's order precedes both", () => {
  const cards = cardsOf("a", "b", "c");
  const schedules = [scheduleOf("c", [4], 60 * DAY_MS)];
  const { answer, current } = aRun(aStudy({ cards, schedules }));
  const order = [current()];
  for (let at = 0; at < 2; at += 1) {
    answer(4);
    order.push(current());
  }
  expect(order).toEqual(["c", "a", "b"]);
  const planned = aRun(aStudy({ cards, planned: ["b", "a", "deleted"] }));
  expect(planned.current()).toBe("b");
  planned.answer(4);
  expect(planned.current()).toBe("a");
});

test("a grade stores one review and updates the schedule, the count and the position", () => {
  const { run, answer, wait } = aRun(aStudy({ cards: cardsOf("a", "b"), dailyLimit: 5 }));
  expect(sessionPosition(run.state)).toEqual({ position: 1, total: 2 });
  const preview = previewCurrentCard(run.state);
  wait(3000);
  const [request] = answer(4);
  expect(request).toMatchObject({
    type: "review_add",
    data: { cardId: "a", componentId: "deck", grade: 4, reviewedAt: NOW + 3000, durationMs: 3000, mode: "study" },
  });
  expect(run.state.schedules.get("a")?.dueAt).toBe((preview[3]?.dueAt ?? 0) + 3000);
  expect(run.state.allowance.studiedToday).toBe(1);
  expect(run.state).toMatchObject({ isRevealed: false, shownAt: NOW + 3000 });
  expect(sessionPosition(run.state)).toEqual({ position: 2, total: 2 });
  expect(countDeckDue(run.state, run.now)).toEqual({ due: 0, learning: 0, learningAt: null, fresh: 1, introduced: 1 });
});

test("more than an hour on one card counts as an hour, and a clock set back as zero", () => {
  const { answer, wait } = aRun(aStudy({ cards: cardsOf("a", "b") }));
  wait(5 * HOUR_MS);
  expect(reviewsOf(answer(4))[0]?.durationMs).toBe(HOUR_MS);
  wait(-3 * HOUR_MS);
  expect(reviewsOf(answer(4))[0]?.durationMs).toBe(0);
});

test("a card can't be graded before its answer is revealed, nor any other card", () => {
  const { run, step } = aRun(aStudy({ cards: cardsOf("a", "b") }));
  const before = run.state;
  step({ type: "grade", cardId: "a", grade: 3, reviewId: "review-0001" });
  expect(run.state).toBe(before);
  step({ type: "reveal" });
  const revealed = run.state;
  step({ type: "grade", cardId: "b", grade: 3, reviewId: "review-0001" });
  expect(run.state).toBe(revealed);
  expect(run.requests).toEqual([]);
});

test("the same answer sent twice counts once, even if the card is shown again", () => {
  const { run, step, answer } = aRun(aStudy({ cards: cardsOf("a") }));
  answer(1);
  const once = run.state;
  expect(once.session.current).toBe("a");
  const again: StudyEvent = { type: "grade", cardId: "a", grade: 1, reviewId: "review-0001" };
  step(again);
  expect(run.state).toBe(once);
  step({ type: "reveal" });
  step(again);
  expect(run.requests).toHaveLength(1);
  expect(run.state.session.answers).toHaveLength(1);
});

test("undo restores the card, its schedule and the count, one answer at a time", () => {
  const { run, step, answer, current } = aRun(aStudy({ cards: cardsOf("a", "b"), dailyLimit: 9 }));
  answer(1);
  answer(4);
  step({ type: "undo" });
  expect(current()).toBe("b");
  expect(run.state.schedules.has("b")).toBe(false);
  step({ type: "undo" });
  expect(current()).toBe("a");
  expect(run.state.schedules.size).toBe(0);
  expect(run.state.allowance.studiedToday).toBe(0);
  expect(run.requests.slice(2)).toEqual([
    { type: "review_undo", data: { reviewId: "review-0002" } },
    { type: "review_undo", data: { reviewId: "review-0001" } },
  ]);
  const start = run.state;
  expect(step({ type: "undo" })).toEqual([]);
  expect(run.state).toBe(start);
});

test("any answer can be undone, and the card's schedule follows from its other answers", () => {
  const { run, step, answer, current } = aRun(aStudy({ cards: cardsOf("a", "b") }));
  answer(1, "a");
  answer(1, "b");
  expect(current()).toBe("a");
  answer(3, "a");
  step({ type: "undo_review", reviewId: "review-0001" });
  const second = reviewsOf(run.requests).find(({ _id }) => _id === "review-0003");
  expect(run.state.schedules.get("a")).toEqual(second && replay([second]));
  expect(step({ type: "undo_review", reviewId: "review-0001" })).toEqual([]);
});

test("after an undo, later answers keep the intervals that this device chose", () => {
  const quietDay = 21;
  const load = Array.from({ length: 40 }, (_, day) => (day === quietDay ? 0 : 9));
  const { run, step, answer, wait } = aRun(aStudy({ cards: cardsOf("a"), load, desiredRetention: 0.7 }));
  for (const grade of [2, 3, 4] as const) {
    answer(grade);
    wait(MINUTE_MS);
  }
  step({ type: "undo_review", reviewId: "review-0002" });
  const [first, , last] = reviewsOf(run.requests);
  expect(last?.intervalDays).toBe(quietDay);
  expect(run.state.schedules.get("a")).toEqual(first && last && replay([first, last], run.state.params));
});

test("a suspended or buried card is skipped, and the session continues", () => {
  const cards = cardsOf("a", "b", "c");
  const { run, step, current, wait } = aRun(aStudy({ cards }));
  step({ type: "reveal" });
  wait(1000);
  step({ type: "change_cards", cards: cards.map((card) => (card.id === "a" ? { ...card, isSuspended: true } : card)) });
  expect(current()).toBe("b");
  expect(run.state).toMatchObject({ isRevealed: false, shownAt: NOW + 1000 });
  const buriedUntil = NOW + DAY_MS;
  step({ type: "change_cards", cards: cards.map((card) => (card.id === "b" ? { ...card, buriedUntil } : card)) });
  expect(current()).toBe("c");
  expect(run.requests).toEqual([]);
});

test("an edited card stays in place with its answer revealed", () => {
  const { run, step } = aRun(aStudy({ cards: cardsOf("a", "b") }));
  step({ type: "reveal" });
  step({ type: "change_cards", cards: cardsOf("a", "b").map((card) => ({ ...card, answer: "other" })) });
  expect(run.state).toMatchObject({ isRevealed: true, session: { current: "a" } });
  expect(run.state.deck.cards[0]?.answer).toBe("other");
});

test("a card deleted meanwhile isn't asked, and a late grade for it changes nothing", () => {
  const { run, step, answer, current } = aRun(aStudy({ cards: cardsOf("a", "b", "c") }));
  step({ type: "reveal" });
  step({ type: "change_cards", cards: cardsOf("b") });
  expect(current()).toBe("b");
  expect(step({ type: "grade", cardId: "a", grade: 3, reviewId: "review-0009" })).toEqual([]);
  answer(4);
  expect(run.state.session).toMatchObject({ state: "finished", current: null });
});

test("an answer to a card deleted meanwhile can be undone without showing the card", () => {
  const { run, step, answer, current } = aRun(aStudy({ cards: cardsOf("a", "b") }));
  answer(4);
  step({ type: "change_cards", cards: cardsOf("b") });
  expect(step({ type: "undo" })).toEqual([{ type: "review_undo", data: { reviewId: "review-0001" } }]);
  expect(current()).toBe("b");
  expect(run.state.schedules.has("a")).toBe(false);
});

test("after skipping a card, undo shows the answered card and then the skipped one", () => {
  const cards = cardsOf("a", "b", "c", "d");
  const { step, answer, current } = aRun(aStudy({ cards }));
  answer(4, "a");
  step({ type: "change_cards", cards: cards.filter(({ id }) => id !== "b") });
  expect(current()).toBe("c");
  step({ type: "undo" });
  expect(current()).toBe("a");
  const order = [];
  for (let at = 0; at < 3; at += 1) {
    order.push(current());
    answer(4);
  }
  expect(order).toEqual(["a", "c", "d"]);
  expect(current()).toBeNull();
});

test("a learning step that becomes due comes before waiting cards", () => {
  const { answer, current, wait } = aRun(aStudy({ cards: cardsOf("a", "b", "c") }));
  answer(1, "a");
  expect(current()).toBe("b");
  wait(2 * MINUTE_MS);
  answer(4, "b");
  expect(current()).toBe("a");
});

test("cards that arrive meanwhile leave the current card and join the next session", () => {
  const { run, step, answer, current } = aRun(aStudy({ cards: cardsOf("a") }));
  step({ type: "reveal" });
  step({ type: "change_cards", cards: cardsOf("new", "a") });
  expect(run.state).toMatchObject({ isRevealed: true, session: { current: "a" } });
  answer(4);
  expect(current()).toBeNull();
  expect(countDeckDue(run.state, run.now)).toEqual({ due: 0, learning: 0, learningAt: null, fresh: 1, introduced: 1 });
  step({ type: "start_session", bucket: "due", favourites: new Set() });
  expect(current()).toBe("new");
});

test("changing the bucket starts a new session from the current schedules", () => {
  const { run, step, answer, current } = aRun(aStudy({ cards: cardsOf("a", "b", "c"), favourites: ["c"] }));
  answer(1, "a");
  step({ type: "start_session", bucket: "hard", favourites: new Set() });
  expect([current(), run.state.bucket]).toEqual(["a", "hard"]);
  expect(run.state.session.answers).toEqual([]);
  step({ type: "start_session", bucket: "favourites", favourites: new Set(["c"]) });
  expect(current()).toBe("c");
});

test("at the plan's daily limit no further card is shown, and an undo allows one again", () => {
  const { run, step, answer, current } = aRun(aStudy({ cards: cardsOf("a", "b"), dailyLimit: 1 }));
  answer(4);
  expect(run.state.session).toMatchObject({ state: "limit_reached", current: null });
  expect([canStudyCard(run.state, "a"), canStudyCard(run.state, "b")]).toEqual([true, false]);
  step({ type: "undo" });
  expect([current(), run.state.allowance.studiedToday]).toEqual(["a", 0]);
});

test("an upgrade lets a session at its limit go on, and a downgrade ends it at the limit of the smaller plan", () => {
  const plan = { type: "FREE", endAt: null, paused: false, pausedUntil: null } as const;
  const { run, step, answer, current } = aRun(aStudy({ cards: cardsOf("a", "b", "c", "d", "e"), dailyLimit: 1 }));
  answer(4);
  expect(run.state.session.state).toBe("limit_reached");
  run.state = withDailyLimit(run.state, dailyCardLimit({ ...plan, type: "PLUS" }, NOW), NOW);
  step({ type: "start_session", bucket: "due", favourites: new Set() });
  expect([current(), canStudyCard(run.state, "e")]).toEqual(["b", true]);
  run.state = withDailyLimit(run.state, dailyCardLimit(plan, NOW), NOW);
  answer(4, "b");
  expect(current()).toBe("c");
  answer(4, "c");
  expect(run.state.session).toMatchObject({ state: "limit_reached", current: null });
});

test("a card forgotten for the eighth time is reported as a leech until dismissed", () => {
  const leech = { ...scheduleOf("a", [4], 9 * DAY_MS), state: "review", lapses: 7, dueAt: NOW - DAY_MS } as const;
  const { run, step, answer } = aRun(aStudy({ cards: cardsOf("a", "b"), schedules: [leech] }));
  answer(1, "a");
  expect(run.state.leechId).toBe("a");
  step({ type: "dismiss_leech" });
  expect(run.state.leechId).toBeNull();
});

test("undoing the answer that made a card a leech withdraws the notice, and undoing another answer does not", () => {
  const leech = { ...scheduleOf("a", [4], 9 * DAY_MS), state: "review", lapses: 7, dueAt: NOW - DAY_MS } as const;
  const schedules = [leech, scheduleOf("b", [4], 300 * DAY_MS)];
  const { run, step, answer } = aRun(aStudy({ cards: cardsOf("a", "b"), schedules }));
  answer(4, "b");
  answer(1, "a");
  step({ type: "undo_review", reviewId: "review-0001" });
  expect(run.state.leechId).toBe("a");
  step({ type: "undo" });
  expect(run.state).toMatchObject({ leechId: null, session: { current: "a" } });
  expect(run.state.schedules.get("a")?.lapses).toBe(7);
});

test("a change to another card leaves the leech notice open, and a change to the leech closes it", () => {
  const leech = { ...scheduleOf("a", [4], 9 * DAY_MS), state: "review", lapses: 7, dueAt: NOW - DAY_MS } as const;
  const { run, step, answer } = aRun(aStudy({ cards: cardsOf("a", "b"), schedules: [leech] }));
  answer(1, "a");
  const change = (id: string) => {
    const cards = run.state.deck.cards.map((card) => (card.id === id ? { ...card, answer: "other" } : card));
    step({ type: "change_cards", cards });
  };
  change("b");
  expect(run.state.leechId).toBe("a");
  change("a");
  expect(run.state.leechId).toBeNull();
});

test("a review in another mode counts, makes the session outdated, and can be replaced", () => {
  const { run, step } = aRun(aStudy({ cards: cardsOf("a", "b"), dailyLimit: 9 }));
  const given = { type: "record_review", cardId: "b", durationMs: 2000.4, mode: "quiz" } as const;
  step({ ...given, grade: 1, reviewId: "review-0001" });
  expect(run.state).toMatchObject({ isSessionStale: true, allowance: { studiedToday: 1 }, session: { current: "a" } });
  const before = undefined;
  step({ ...given, grade: 4, reviewId: "review-0002", replaces: { reviewId: "review-0001", before } });
  expect(run.requests.map(({ type }) => type)).toEqual(["review_add", "review_undo", "review_add"]);
  expect(run.state.allowance.studiedToday).toBe(1);
  const [, last] = reviewsOf(run.requests);
  expect(last).toMatchObject({ durationMs: 2000, mode: "quiz", grade: 4 });
  expect(run.state.schedules.get("b")).toEqual(last && replay([last]));
});

test("answers sent after being offline produce the schedules that the device already shows", () => {
  type Action = Grade | "undo";
  const actions = fc.array(fc.constantFrom<Action>(1, 2, 3, 4, "undo"), { maxLength: 40 });
  fc.assert(
    fc.property(actions, (given) => {
      const { run, step, answer, wait } = aRun(aStudy({ cards: cardsOf("a", "b", "c", "d"), isCached: true }));
      for (const action of given) {
        wait(MINUTE_MS);
        if (action === "undo") step({ type: "undo" });
        else if (run.state.session.current !== null) answer(action);
      }
      const undone = new Set(run.requests.flatMap(({ type, data }) => (type === "review_undo" ? [data.reviewId] : [])));
      const sent = reviewsOf(run.requests).filter(({ _id }) => !undone.has(_id));
      for (const id of ["a", "b", "c", "d"])
        expect(replay(sent.filter(({ cardId }) => cardId === id))).toEqual(run.state.schedules.get(id));
    }),
    { seed: 18 },
  );
});
