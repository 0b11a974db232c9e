import { default_w as defaultWeights } from "ts-fsrs";
import { expect, test } from "vitest";
import { compareForecasts, metrics } from "#shared/admin/quality.ts";
import { calibrate } from "#shared/study/statistics.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { saveFit } from "#api/study/decks.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { startApi } from "#tests/kit/api.ts";
import { aReview } from "#tests/study/histories.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";

const DAY_MS = 86_400_000;
/** Weights of somebody who forgets faster. */
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

const aWeek = (week: string, sums: Record<string, number>) => ({ week, figures: { study: [{ dims: {}, sums }] } });

test("weeks from before the default weights were counted are left out of the comparison", () => {
  const sums = { tests8: 10, predicted8: 8.5, right8: 8, loss8: 4 };
  const both = { ...sums, default_tests8: 10, default_predicted8: 8.9, default_right8: 8, default_loss8: 5 };
  const old = aWeek("2026-08-31", { ...sums, loss8: 9 });
  expect(compareForecasts([old])).toMatchObject({ scheduler: { count: 10, logLoss: 0.9 }, defaults: null });
  expect(compareForecasts([old, aWeek("2026-09-07", both)])).toMatchObject({
    scheduler: { count: 10, logLoss: 0.4 },
    defaults: { count: 10, logLoss: 0.5 },
  });
});
