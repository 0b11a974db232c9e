import { default_w as defaultWeights } from "ts-fsrs";
import { expect, test } from "vitest";
import { compareForecasts, metrics } from "#shared/admin/quality.ts";
import { calibrate } from "#shared/study/statistics.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { totalOf } from "#shared/admin/figures.ts";
import { figureDays, rollUpFigures } from "#api/store/figures/roll-up.ts";
import { applyReview, undoReview } from "#api/study/service.ts";
import { recomputeDaySums } from "#api/study/day-sums.ts";
import { saveFit } from "#api/study/decks.ts";
import { saveReview } from "#api/study/store.ts";
import { utcDay } from "#shared/user/days.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { startApi } from "#tests/kit/api.ts";
import { aReview } from "#tests/study/simulated-reviews.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";

const DAY_MS = 86_400_000;
/** Weights of a student who forgets faster than the default. */
const weights = defaultWeights.map((weight, at) => (at < 4 ? weight / 3 : weight));

test("forecasts of fitted students are compared with the default weights, on the same reviews and by version", async () => {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const admin = await api.newUser({ name: "Root" });
  await grantAdmin(api.deps, admin.email, true);
  const now = api.clock.now();
  const fit = { weights, fittedAt: now, by: "student", reviews: 0, lossBefore: 1, lossAfter: 0 } as const;
  const study = async (isFitted: boolean) => {
    const student = await api.newUser();
    if (isFitted) await saveFit(ownedBy(api.deps.store, student.userId), fit);
    const componentId = await aDeck(student, await aPage(student), [aCard("card-1"), aCard("card-2")]);
    const reviews = [12, 8, 1].flatMap((daysAgo, at) =>
      ["card-1", "card-2"].map((cardId) => ({
        ...aReview(cardId, cardId === "card-2" && at === 2 ? 1 : 3, now - daysAgo * DAY_MS),
        componentId,
      })),
    );
    for (const review of reviews) await send(student, aChange("review_add", componentId, review));
    return reviews;
  };

  const plain = await study(false);
  const before = compareForecasts((await admin.client.admin.getFigures({ weeks: 4 })).weeks);
  expect(before.scheduler).toEqual(before.defaults);
  expect(before.scheduler.logLoss).toBeCloseTo(calibrate(plain).logLoss, 10);

  const own = await study(true);
  const { weeks } = await admin.client.admin.getFigures({ weeks: 4 });
  const { scheduler, defaults } = compareForecasts(weeks);
  expect([scheduler.count, defaults?.count]).toEqual([8, 8]);
  const mean = (fitted: number) => (calibrate(plain).logLoss + fitted) / 2;
  expect(defaults?.logLoss).toBeCloseTo(mean(calibrate(own).logLoss), 10);
  expect(scheduler.logLoss).toBeCloseTo(mean(calibrate(own, { desiredRetention: 0.9, weights }).logLoss), 10);
  expect(scheduler.bins).not.toEqual(defaults?.bins);

  const version = weeks.at(-1)?.figures.study?.[0]?.dims["version"] ?? "";
  expect(compareForecasts(weeks, version)).toEqual({ scheduler, defaults });
  expect(compareForecasts(weeks, "0.0.0")).toMatchObject({ scheduler: { count: 0 }, defaults: null });
  const last = weeks.findLast((week) => metrics.logLoss(week, { version }) !== null);
  expect(last && metrics.logLoss(last, { version: "0.0.0" })).toBeNull();
});

test("a review from before default forecasts were stored counts for the scheduler, but not for the default weights", async () => {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const admin = await api.newUser({ name: "Root" });
  await grantAdmin(api.deps, admin.email, true);
  const own = ownedBy(api.deps.store, admin.userId);
  const now = api.clock.now();
  const today = utcDay(now);
  const old = { ...aReview("card-1", 3, now), componentId: "deck", predicted: 0.9 };
  await saveReview(own, old, today);
  await recomputeDaySums(own, today);
  const { weeks } = await admin.client.admin.getFigures({ weeks: 1 });
  expect(compareForecasts(weeks)).toMatchObject({ scheduler: { count: 1 }, defaults: null });
});

const sumOfStudy = async (api: Awaited<ReturnType<typeof startApi>>, figure: "study" | "exams") => {
  await rollUpFigures(api.deps);
  const days = await api.deps.store.collection(figureDays).find({ figure });
  return totalOf(days.flatMap(({ entries }) => entries));
};

test("a card that is forgotten for the eighth time counts once as a leech, until that review is undone", async () => {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const student = await api.newUser();
  const now = api.clock.now();
  const componentId = await aDeck(student, await aPage(student), [aCard("card-1")]);
  const lapses = Array.from({ length: 18 }, (_, at) => (at < 2 || at % 2 === 1 ? 3 : 1));
  const reviews = lapses.map((grade, at) => ({
    ...aReview("card-1", grade === 3 ? 3 : 1, now - (lapses.length - at) * DAY_MS),
    componentId,
  }));
  const [last, ...before] = reviews.toReversed().filter(({ grade }) => grade === 1);
  const ctx = { own: ownedBy(api.deps.store, student.userId), clock: api.clock };
  for (const review of reviews) await applyReview(ctx, review);
  expect(before).toHaveLength(7);
  expect(await sumOfStudy(api, "study")).toMatchObject({ reviews: 18, leeches: 1 });
  await undoReview(ctx, last?._id ?? "");
  expect(await sumOfStudy(api, "study")).toEqual(expect.not.objectContaining({ leeches: 1 }));
});

test("a deck counts once as ready for a near exam, by its last study before the exam", async () => {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const student = await api.newUser();
  const componentId = await aDeck(student, await aPage(student), [aCard("card-1"), aCard("card-2")]);
  const ctx = { own: ownedBy(api.deps.store, student.userId), clock: api.clock };
  const study = (cardId: string) => applyReview(ctx, { ...aReview(cardId, 3, api.clock.now()), componentId });
  await student.client.study.saveExam({
    componentIds: [componentId],
    examAt: api.clock.now() + 5 * DAY_MS,
    minutesPerDay: 20,
  });
  await study("card-1");
  expect(await sumOfStudy(api, "exams")).toEqual({});
  api.clock.advance(3 * DAY_MS);
  await study("card-1");
  await study("card-2");
  const sums = await sumOfStudy(api, "exams");
  expect(sums).toMatchObject({ exams: 1, cards: 2 });
  expect(sums["recalled"]).toBeGreaterThan(1);
  expect(sums["recalled"]).toBeLessThan(2);
});

const aWeek = (week: string, sums: Record<string, number>) => ({ week, figures: { study: [{ dims: {}, sums }] } });

test("weeks in which the default weights were not counted for every review are left out of the comparison", () => {
  const sums = { tests8: 10, predicted8: 8.5, right8: 8, loss8: 4 };
  const both = { ...sums, default_tests8: 10, default_predicted8: 8.9, default_right8: 8, default_loss8: 5 };
  const old = aWeek("2026-08-31", { ...sums, loss8: 9 });
  const partly = aWeek("2026-08-24", { ...both, default_tests8: 9 });
  expect(compareForecasts([old])).toMatchObject({ scheduler: { count: 10, logLoss: 0.9 }, defaults: null });
  expect(compareForecasts([partly])).toMatchObject({ scheduler: { count: 10, logLoss: 0.4 }, defaults: null });
  expect(compareForecasts([old, aWeek("2026-09-07", both)])).toMatchObject({
    scheduler: { count: 10, logLoss: 0.4 },
    defaults: { count: 10, logLoss: 0.5 },
  });
});
