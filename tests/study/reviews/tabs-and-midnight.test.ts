import { ulid } from "ulid";
import { expect, test } from "vitest";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";

const aReview = (componentId: string, cardId: string, reviewedAt: number) => ({
  _id: ulid(),
  cardId,
  componentId,
  grade: 3 as const,
  reviewedAt,
});

async function aDeckToStudy() {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  const componentId = await aDeck(ada, await aPage(ada), [aCard("a"), aCard("b")]);
  return { api, ada, componentId };
}

const deckOf = (user: TestUser, componentId: string) => user.client.study.getDeckSchedule({ componentId });

test("a card graded in two tabs at once has both answers in its log and counts as one card of the day", async () => {
  const { api, ada, componentId } = await aDeckToStudy();
  const now = api.clock.now();
  const [here, there] = [aReview(componentId, "a", now), aReview(componentId, "a", now)];
  await Promise.all([
    send(ada, aChange("review_add", componentId, here, { clientId: "tab-one" })),
    send(ada, aChange("review_add", componentId, there, { clientId: "tab-two" })),
  ]);
  const { schedules, studiedToday } = await deckOf(ada, componentId);
  expect(schedules).toMatchObject([{ cardId: "a", reps: 2 }]);
  expect(studiedToday).toBe(1);
});

test("answers before and after midnight count for their own days, and the daily count restarts", async () => {
  const { api, ada, componentId } = await aDeckToStudy();
  const midnight = (Math.floor(api.clock.now() / 86_400_000) + 1) * 86_400_000;
  api.clock.advance(midnight - 1 - api.clock.now());
  await send(ada, aChange("review_add", componentId, aReview(componentId, "a", midnight - 1)));
  expect((await deckOf(ada, componentId)).studiedToday).toBe(1);
  api.clock.advance(1);
  expect((await deckOf(ada, componentId)).studiedToday).toBe(0);
  await send(ada, aChange("review_add", componentId, aReview(componentId, "a", midnight)));
  expect((await deckOf(ada, componentId)).studiedToday).toBe(1);
  expect(await ada.client.user.getStreak({})).toMatchObject({ currentStreak: 2 });
});
