import * as fc from "fast-check";
import { expect, test } from "vitest";
import { replay } from "#shared/study/rules.ts";
import type { Grade, Review, Schedule } from "#shared/study/schema.ts";
import { calculateStreak } from "#shared/user/streak.ts";
import { utcDay } from "#shared/user/days.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { applyReview, undoReview } from "#api/study/service.ts";
import { listSchedules } from "#api/study/store.ts";
import { readStreak, readUsage } from "#api/user/service.ts";
import { delayedStore } from "../delayed-store.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 8, 1, 12);
let made = 0;
const asOwner = (api: TestApi, user: TestUser) => ({ own: ownedBy(api.deps.store, user.userId), clock: api.clock });

function aReview(parts: Partial<Review> = {}): Review {
  made += 1;
  const _id = `review-${String(made).padStart(6, "0")}`;
  const rest = {
    cardId: "card",
    componentId: "deck",
    grade: 3,
    reviewedAt: NOW,
    durationMs: 900,
    mode: "study",
  } as const;
  return { _id, ...rest, ...parts };
}

test("a review updates the card's schedule, the day's count and the streak", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const ctx = asOwner(api, ada);
  const review = aReview({ grade: 4 });
  await applyReview(ctx, review);
  expect(await listSchedules(ctx.own, { componentId: "deck" })).toEqual([replay([review])]);
  expect(await ada.client.user.getUsage({})).toMatchObject({ totalCardsStudied: 1 });
  expect(await ada.client.user.getStreak({})).toMatchObject({ currentStreak: 1, longestStreak: 1, lastStudied: NOW });
});

test("repeating a review changes nothing, and a card counts once a day", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const ctx = asOwner(api, ada);
  const [first, second] = [aReview({ grade: 1 }), aReview({ reviewedAt: NOW + 60_000 })];
  for (const review of [first, second, first, first]) await applyReview(ctx, review);
  expect(await listSchedules(ctx.own)).toEqual([replay([first, second])]);
  expect(await ada.client.user.getUsage({})).toMatchObject({ totalCardsStudied: 1 });
});

test("an undone review leaves no trace in schedule, count and streak", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const ctx = asOwner(api, ada);
  const [counted, undone] = [aReview({ reviewedAt: NOW - DAY_MS }), aReview({ grade: 1, cardId: "other" })];
  await applyReview(ctx, counted);
  await applyReview(ctx, undone);
  await undoReview(ctx, undone._id);
  await undoReview(ctx, undone._id);
  expect(await listSchedules(ctx.own)).toEqual([replay([counted])]);
  expect(await ada.client.user.getUsage({})).toMatchObject({ totalCardsStudied: 0 });
  expect(await ada.client.user.getStreak({})).toMatchObject({ currentStreak: 1, lastStudied: NOW - DAY_MS });
});

test("a review that arrives after its undo stays undone", async () => {
  const api = await startApi();
  const ctx = asOwner(api, await api.newUser());
  const review = aReview();
  await undoReview(ctx, review._id);
  await applyReview(ctx, review);
  expect(await listSchedules(ctx.own)).toEqual([]);
});

test("a limit never refuses a review that already happened", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  const ctx = asOwner(api, ada);
  for (let card = 0; card < 5; card += 1) await applyReview(ctx, aReview({ cardId: `card-${card}` }));
  expect(await listSchedules(ctx.own)).toHaveLength(5);
  expect(await ada.client.user.getUsage({})).toMatchObject({ totalCardsStudied: 5 });
});

test("offline reviews count for the days on which they were made", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const ctx = asOwner(api, ada);
  for (const daysAgo of [0, 2, 1, 5]) await applyReview(ctx, aReview({ reviewedAt: NOW - daysAgo * DAY_MS }));
  expect(await ada.client.user.getStreak({})).toMatchObject({ currentStreak: 3, longestStreak: 3, lastStudied: NOW });
});

test("two students' reviews with the same id and card are independent, including undo", async () => {
  const api = await startApi();
  const [ada, eve] = [asOwner(api, await api.newUser()), asOwner(api, await api.newUser())];
  const review = aReview();
  await applyReview(eve, { ...review, grade: 1 });
  await applyReview(ada, review);
  await undoReview(eve, review._id);
  expect(await listSchedules(ada.own)).toEqual([replay([review])]);
  expect(await listSchedules(eve.own)).toEqual([]);
});

const steps = fc.array(
  fc.record({
    card: fc.nat({ max: 2 }),
    grade: fc.constantFrom<Grade>(1, 2, 3, 4),
    hoursAgo: fc.nat({ max: 30 }),
    isUndone: fc.boolean(),
    arrivals: fc.integer({ min: 1, max: 3 }),
    order: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
  }),
  { maxLength: 12 },
);

/** Delays: mostly none, sometimes long enough for another call to overtake. */
const delays = fc.infiniteStream(
  fc.oneof({ weight: 6, arbitrary: fc.nat({ max: 1 }) }, { weight: 1, arbitrary: fc.nat({ max: 80 }) }),
);

const byCardId = (a: Schedule | undefined, b: Schedule | undefined) => (a?.cardId ?? "").localeCompare(b?.cardId ?? "");

test("the results don't depend on the order, repetition or concurrency of reviews", async () => {
  const api = await startApi();
  let students = 0;
  await fc.assert(
    fc.asyncProperty(steps, delays, async (given, delayTurns) => {
      students += 1;
      const store = delayedStore(api.deps.store, () => delayTurns.next().value);
      const user = { own: ownedBy(store, `student-${students}`), clock: api.clock };
      const reviews = given.map((step) => ({
        ...step,
        review: aReview({
          cardId: `card-${step.card}`,
          grade: step.grade,
          reviewedAt: NOW - step.hoursAgo * 3_600_000,
        }),
      }));
      const arrivals = reviews.flatMap(({ review, arrivals: times, isUndone, order }) => [
        ...Array.from({ length: times }, (_, at) => ({ at: order[at] ?? 0, run: () => applyReview(user, review) })),
        ...(isUndone ? [{ at: order[5] ?? 0, run: () => undoReview(user, review._id) }] : []),
      ]);
      await Promise.all(arrivals.toSorted((a, b) => a.at - b.at).map((arrival) => arrival.run()));
      const counted = reviews.filter((step) => !step.isUndone).map((step) => step.review);
      const cards = new Set(counted.map((review) => review.cardId));
      const expected = [...cards].map((cardId) => replay(counted.filter((review) => review.cardId === cardId)));
      const stored = await listSchedules(user.own);
      expect(stored.toSorted(byCardId)).toEqual(expected.toSorted(byCardId));
      const today = counted
        .filter((review) => utcDay(review.reviewedAt) === utcDay(NOW))
        .map((review) => review.cardId);
      expect((await readUsage(user)).totalCardsStudied).toBe(new Set(today).size);
      expect(await readStreak(user)).toMatchObject(calculateStreak(counted.map((review) => review.reviewedAt)));
    }),
    { numRuns: 40 },
  );
});

/** Stores one answer on each of ten days, including today. */
async function studyTenDays(api: TestApi, ada: TestUser) {
  const ctx = asOwner(api, ada);
  for (let day = 9; day >= 0; day -= 1)
    await applyReview(ctx, aReview({ cardId: `card-${day}`, reviewedAt: NOW - day * DAY_MS }));
  return ctx;
}

test("an answer dated forty days ahead gets the server's time, and the streak continues", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const ctx = await studyTenDays(api, ada);
  const wrong = aReview({ cardId: "card-0", grade: 4, reviewedAt: NOW + 40 * DAY_MS });
  await applyReview(ctx, wrong);
  expect(await ada.client.user.getStreak({})).toMatchObject({ currentStreak: 10, longestStreak: 10 });
  expect(await ada.client.user.getUsage({})).toMatchObject({ totalCardsStudied: 1 });
  const scheduled = async () =>
    (await listSchedules(ctx.own, { componentId: "deck" })).find(({ cardId }) => cardId === "card-0");
  expect(await scheduled()).toMatchObject({ lastReviewedAt: NOW + 5 * 60_000 });
  // After an answer with a right clock the next day, the card is due soon, not in forty days.
  api.clock.advance(DAY_MS);
  await applyReview(ctx, aReview({ cardId: "card-0", reviewedAt: NOW + DAY_MS }));
  expect((await scheduled())?.dueAt).toBeLessThan(NOW + 30 * DAY_MS);
  expect(await ada.client.user.getStreak({})).toMatchObject({ currentStreak: 11, lastStudied: NOW + DAY_MS });
});

test("just before midnight, a clock a few minutes ahead doesn't start the next day", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const midnight = Date.UTC(2026, 8, 2);
  api.clock.advance(midnight - 60_000 - NOW);
  await applyReview(asOwner(api, ada), aReview({ reviewedAt: midnight + 120_000 }));
  expect(await ada.client.user.getUsage({})).toMatchObject({ totalCardsStudied: 1 });
  expect(await ada.client.user.getStreak({})).toMatchObject({ currentStreak: 1, lastStudied: midnight - 1 });
});

test("a streak and a schedule damaged by a wrong clock are repaired", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const ctx = await studyTenDays(api, ada);
  // An answer as stored before the server checked times, so with a time forty days ahead.
  const later = NOW + 40 * DAY_MS;
  const futureCtx = { ...ctx, clock: { now: () => later } };
  await applyReview(futureCtx, aReview({ cardId: "card-0", grade: 4, reviewedAt: later }));
  expect(await readStreak(futureCtx)).toMatchObject({ currentStreak: 1 });
  expect(await readStreak(ctx)).toMatchObject({ currentStreak: 10, lastStudied: NOW });
  api.clock.advance(DAY_MS);
  await applyReview(ctx, aReview({ cardId: "card-1", reviewedAt: NOW + DAY_MS }));
  expect(await readStreak(ctx)).toMatchObject({ currentStreak: 11, lastStudied: NOW + DAY_MS });
  const repaired = (await listSchedules(ctx.own, { componentId: "deck" })).find(({ cardId }) => cardId === "card-0");
  expect(repaired).toMatchObject({ lastReviewedAt: NOW + DAY_MS });
  expect(repaired?.dueAt).toBeLessThan(NOW + 60 * DAY_MS);
  // The future day that was counted too early no longer counts.
  expect(await readStreak(futureCtx)).toMatchObject({ currentStreak: 11, lastStudied: NOW + DAY_MS });
});
