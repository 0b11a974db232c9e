import { expect, test } from "vitest";
import { groupBy } from "#shared/pages/rules.ts";
import { averagePace, judgeProgress } from "#shared/study/deck/progress.ts";
import { calibrate, sumStudyDays, sumDay } from "#shared/study/statistics.ts";
import { utcDay } from "#shared/user/days.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { aReview, simulateReviews } from "./simulated-reviews.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 8, 1, 12);

test("predicted and actual recall agree for a student who forgets as the scheduler expects", () => {
  const { count, predicted, actual, logLoss } = calibrate(
    simulateReviews(400, (expected, chance) => chance < expected),
  );
  expect(count).toBeGreaterThan(500);
  expect(Math.abs(predicted - actual)).toBeLessThan(0.04);
  expect(logLoss).toBeLessThan(0.6);
});

test("predicted and actual recall differ for a student who always forgets", () => {
  const { predicted, actual, logLoss } = calibrate(simulateReviews(50, () => false));
  expect(actual).toBe(0);
  expect(predicted).toBeGreaterThan(0.5);
  expect(logLoss).toBeGreaterThan(1);
});

test("without reviews there are no predictions", () => {
  expect(calibrate([])).toEqual({ count: 0, predicted: 0, actual: 0, logLoss: 0, bins: [] });
});

test("a student who remembers as planned and has no backlog is on track", () => {
  const goodProgress = { tested: 40, recall: 0.88, goal: 0.9, due: 20, pace: 12 };
  expect(judgeProgress(goodProgress)).toBe("on_track");
  expect(judgeProgress({ ...goodProgress, due: 25 })).toBe("behind");
  expect(judgeProgress({ ...goodProgress, recall: 0.7 })).toBe("forgetting");
  expect(judgeProgress({ ...goodProgress, tested: 4, due: 25 })).toBe("early");
  const days = [
    { ago: 1, reviews: 10 },
    { ago: 6, reviews: 14 },
    { ago: 60, reviews: 200 },
  ];
  expect(averagePace(days)).toBe(12);
  expect(averagePace([])).toBe(0);
});

test("days of study are counted back from today's study day", () => {
  const startsAt = NOW - 8 * 3_600_000;
  const reviews = [NOW, startsAt, startsAt - 1, startsAt - DAY_MS - 1].map((at) => aReview("card", 3, at));
  const periods = groupBy(reviews, ({ reviewedAt }) => utcDay(reviewedAt));
  const days = sumStudyDays(
    [...periods].map(([period, own]) => ({ period, ...sumDay(own) })),
    startsAt,
  );
  expect(days).toEqual([
    { ago: 0, reviews: 2, minutes: 0.2 },
    { ago: 1, reviews: 1, minutes: 0.1 },
    { ago: 2, reviews: 1, minutes: 0.1 },
  ]);
});

test("a card that was left open counts two minutes, in the minutes of the day as in the pace", () => {
  const left = { ...aReview("card", 3, NOW), durationMs: 3_600_000 };
  const sum = sumDay([left]);
  expect(sum.timedMs).toBe(120_000);
  expect(sumStudyDays([{ period: utcDay(NOW), ...sum }], NOW - DAY_MS / 3)).toEqual([
    { ago: 0, reviews: 1, minutes: 2 },
  ]);
});

test("stored totals from before the time of an answer was capped count at most two minutes per answer", () => {
  const hour = 3_600_000;
  const quarters = { 0: [2, 2 * hour], 1: [10, 30_000] } as const;
  expect(sumStudyDays([{ period: utcDay(NOW), quarters }], NOW - DAY_MS)).toEqual([
    { ago: 0, reviews: 12, minutes: 4.5 },
  ]);
});

test("too few reviews aren't fitted; with enough, the schedules are updated", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const reviews = simulateReviews(300, (expected, chance) => chance < expected * expected * expected);
  const pageId = await aPage(ada);
  const componentId = await aDeck(
    ada,
    pageId,
    Array.from({ length: 300 }, (_, at) => aCard(`card-${at}`)),
  );
  expect(await ada.client.study.fitWeights({})).toMatchObject({ state: "too_few", reviews: 0 });
  const changes = reviews.map((review) => aChange("review_add", componentId, { ...review, componentId }));
  await send(ada, ...changes);
  const before = await ada.client.study.getDeckSchedule({ componentId });
  const fit = await ada.client.study.fitWeights({});
  expect(["fitted", "unavailable"]).toContain(fit.state);
  process.stdout.write(`fitting on this platform: ${JSON.stringify(fit)}\n`);
  const { calibration, days, forecast, isFitted } = await ada.client.study.getStatistics({ componentId });
  expect(calibration.count).toBeGreaterThan(100);
  expect(days.length).toBeGreaterThan(3);
  expect(forecast.reduce((sum, due) => sum + due, 0)).toBeGreaterThan(0);
  expect(isFitted).toBe(fit.state === "fitted");
  if (fit.state === "unavailable") return;
  expect(fit.lossAfter ?? 9).toBeLessThan(fit.lossBefore ?? 0);
  const after = await ada.client.study.getDeckSchedule({ componentId });
  expect(after.weights).toHaveLength(21);
  expect(after.schedules).not.toEqual(before.schedules);
});

test("the forecast leaves out decks in the trash and on archived pages", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pages = [await aPage(ada), await aPage(ada), await aPage(ada)];
  const [present = "", deleted = "", archived = ""] = await Promise.all(pages.map((id) => aDeck(ada, id, [aCard(id)])));
  for (const [at, componentId] of [present, deleted, archived].entries())
    await send(
      ada,
      aChange("review_add", componentId, { ...aReview(pages[at] ?? "", 3, NOW - 40 * DAY_MS), componentId }),
    );
  const countAll = async (deck: { componentId?: string } = {}) =>
    (await ada.client.study.getStatistics(deck)).forecast.reduce((sum, due) => sum + due, 0);
  expect(await countAll()).toBe(3);
  await send(ada, aChange("component_delete", deleted, {}), aChange("page_update", pages[2] ?? "", { archived: true }));
  expect(await countAll()).toBe(1);
  expect(await countAll({ componentId: archived })).toBe(1);
  expect((await ada.client.study.getDeckSchedule({ componentId: present })).load[0]).toBe(1);
});
