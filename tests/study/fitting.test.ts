import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { optimizeIdleAccounts } from "#api/study/optimize-account.ts";
import { parsePreferences } from "#shared/user/merge-preferences.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { aReview, simulateReviews } from "./simulated-reviews.ts";

const MINUTE_MS = 60_000;

/** The optional library is available on some platforms only. */
const canFit = (() => {
  try {
    return createRequire(import.meta.url).resolve("@open-spaced-repetition/binding-linux-x64-gnu") !== "";
  } catch {
    return false;
  }
})();
if (!canFit) process.stdout.write("skipped: fitting, because its optional library is not available on this platform\n");

/** About 600 answers of a student who forgets more than the scheduler expects. */
const answers = simulateReviews(300, (expected, chance) => chance < expected * expected * expected);

async function aStudied(cardCount = 300) {
  const api = await startApi();
  const ada = await api.newUser();
  const cards = Array.from({ length: cardCount }, (_, at) => aCard(`card-${at}`));
  const componentId = await aDeck(ada, await aPage(ada), cards);
  const ownAnswers = answers.filter(({ cardId }) => Number(cardId.slice(5)) < cardCount);
  await send(ada, ...ownAnswers.map((review) => aChange("review_add", componentId, { ...review, componentId })));
  const schedules = async () => (await ada.client.study.getDeckSchedule({ componentId })).schedules;
  return { api, ada, componentId, schedules, count: ownAnswers.length };
}

const fitOf = async ({ client }: TestUser) => (await client.study.getFit({})).fit;

async function setAutomaticFitting({ client }: TestUser, isOn: boolean) {
  const { flashcards } = parsePreferences({});
  await client.user.savePreferences({ flashcards: { ...flashcards, fit_by_itself: isOn } });
}

test.skipIf(!canFit)("answers of a single day are too few for a fit, however many they are", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "ULTIMATE" });
  const cardIds = Array.from({ length: 100 }, (_, at) => `card-${at}`);
  const componentId = await aDeck(
    ada,
    await aPage(ada),
    cardIds.map((id) => aCard(id)),
  );
  const crammed = Array.from({ length: 400 }, (_, at) =>
    aReview(cardIds[at % 100] ?? "", 3, api.clock.now() - 1_000_000 + at * 1000),
  );
  await send(ada, ...crammed.map((review) => aChange("review_add", componentId, { ...review, componentId })));
  expect(await ada.client.study.fitWeights({})).toMatchObject({ state: "too_few", reviews: 400, lossAfter: null });
  expect(await fitOf(ada)).toBeNull();
});

describe.skipIf(!canFit)("automatic fitting of the scheduler", () => {
  test("runs once the student pauses, updates all schedules, and needs more answers before the next run", async () => {
    const { api, ada, schedules, count } = await aStudied();
    const eve = await api.newUser();
    const before = await schedules();
    api.clock.advance(29 * MINUTE_MS);
    expect(await optimizeIdleAccounts(api.deps)).toBe(0);
    expect(await fitOf(ada)).toBeNull();
    api.clock.advance(MINUTE_MS);
    expect(await optimizeIdleAccounts(api.deps)).toBe(1);
    const fit = await fitOf(ada);
    expect(fit).toMatchObject({ startedBy: "schedule", reviews: count, fittedAt: api.clock.now() });
    expect(fit?.lossAfter ?? 9).toBeLessThan(fit?.lossBefore ?? 0);
    expect(await schedules()).not.toEqual(before);
    expect(await fitOf(eve)).toBeNull();
    api.clock.advance(60 * MINUTE_MS);
    expect(await optimizeIdleAccounts(api.deps)).toBe(0);
  }, 60_000);

  test("doesn't run while answers arrive, nor while switched off", async () => {
    const { api, ada, componentId } = await aStudied();
    await setAutomaticFitting(ada, false);
    api.clock.advance(31 * MINUTE_MS);
    expect(await optimizeIdleAccounts(api.deps)).toBe(0);
    await setAutomaticFitting(ada, true);
    const one = { _id: "another-answer-1", cardId: "card-1", componentId, grade: 3 as const, durationMs: 1 };
    await send(ada, aChange("review_add", componentId, { ...one, mode: "study", reviewedAt: api.clock.now() }));
    expect(await optimizeIdleAccounts(api.deps)).toBe(0);
    api.clock.advance(31 * MINUTE_MS);
    expect(await optimizeIdleAccounts(api.deps)).toBe(1);
    expect(await fitOf(ada)).toMatchObject({ startedBy: "schedule" });
  }, 60_000);

  test("can be reverted: all cards return to the default parameters and stay there", async () => {
    const { api, ada, schedules } = await aStudied();
    const before = await schedules();
    api.clock.advance(31 * MINUTE_MS);
    expect(await optimizeIdleAccounts(api.deps)).toBe(1);
    expect(await ada.client.study.removeFit({})).toMatchObject({ fit: null });
    expect(await ada.client.study.removeFit({})).toMatchObject({ fit: null });
    const order = (list: typeof before) => list.toSorted((a, b) => (a.cardId < b.cardId ? -1 : 1));
    expect(order(await schedules())).toEqual(order(before));
    api.clock.advance(60 * MINUTE_MS);
    expect(await optimizeIdleAccounts(api.deps)).toBe(0);
    expect(await fitOf(ada)).toBeNull();
  }, 60_000);
});

test("too few answers are never fitted", async () => {
  const { api, ada, count } = await aStudied(60);
  expect(count).toBeLessThan(400);
  api.clock.advance(600 * MINUTE_MS);
  expect(await optimizeIdleAccounts(api.deps)).toBe(0);
  expect(await ada.client.study.getFit({})).toMatchObject({ fit: null, reviews: count });
});
