import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { Grade } from "#shared/study/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, deckContent, send } from "#tests/store/changes.ts";

const DAY_MS = 86_400_000;

async function twoDecks() {
  const api = await startApi();
  const user = await api.newUser();
  const pageId = await aPage(user);
  const cards = [aCard("a"), aCard("b"), aCard("c")];
  const from = await aDeck(user, pageId, cards);
  const to = await aDeck(user, pageId, [aCard("z")]);
  const now = api.clock.now();
  const answer = (componentId: string, cardId: string, ago: number, grade: Grade = 3) =>
    send(
      user,
      aChange("review_add", componentId, {
        _id: ulid(),
        cardId,
        componentId,
        grade,
        reviewedAt: now - ago * DAY_MS,
        durationMs: 4000,
      }),
    );
  for (const cardId of ["a", "b"]) for (const ago of [20, 9, 1]) await answer(from, cardId, ago, ago === 9 ? 1 : 3);
  return { api, user, pageId, cards, from, to, answer };
}

const schedulesOf = async ({ client }: TestUser, componentId: string) =>
  (await client.study.getDeckSchedule({ componentId })).schedules.toSorted((a, b) => a.cardId.localeCompare(b.cardId));

const move = (from: string, to: string, cardIds: string[], more = {}) =>
  aChange("card_move", from, { cardIds, toComponentId: to }, more);

test("a card moved to another deck keeps its schedule, answers, favourite and statistics", async () => {
  const { user, pageId, from, to, cards } = await twoDecks();
  const requests = [{ cardId: "a", action: "add" as const }];
  await user.client.flashcards.changeCardFavourites({ pageId, componentId: from, requests });
  const [before] = await schedulesOf(user, from);
  const figures = await user.client.study.getStatistics({});
  await send(user, aChange("component_content_update", to, { newContent: deckContent([aCard("z"), aCard("a")]) }));
  await send(user, aChange("component_content_update", from, { newContent: deckContent(cards.slice(1)) }));
  await send(user, move(from, to, ["a", "c"]));
  expect((await schedulesOf(user, from)).map(({ cardId }) => cardId)).toEqual(["b"]);
  expect(await schedulesOf(user, to)).toEqual([{ ...before, componentId: to }]);
  const { favorites } = await user.client.flashcards.listCardFavourites({});
  expect(favorites).toMatchObject([{ cardId: "a", componentId: to }]);
  const { decks } = await user.client.study.getDue({});
  expect(decks.find(({ componentId }) => componentId === to)).toMatchObject({ total: 2, fresh: 1 });
  expect((await user.client.study.getStatistics({})).days).toEqual(figures.days);
  const count = async (componentId: string) =>
    (await user.client.study.getStatistics({ componentId })).days.reduce((sum, { reviews }) => sum + reviews, 0);
  expect([await count(from), await count(to)]).toEqual([3, 3]);
});

test("an answer given in the card's former deck counts where the card is now, whenever it arrives", async () => {
  const { user, from, to, answer } = await twoDecks();
  await send(user, move(from, to, ["a"]));
  await answer(from, "a", 0);
  expect((await schedulesOf(user, from)).map(({ cardId }) => cardId)).toEqual(["b"]);
  expect(await schedulesOf(user, to)).toMatchObject([{ cardId: "a", reps: 4 }]);
});

test("a card moved to a third deck and back keeps everything", async () => {
  const { user, pageId, from, to, answer } = await twoDecks();
  const third = await aDeck(user, pageId, []);
  await send(user, move(from, to, ["a"]), move(to, third, ["a"]));
  await answer(from, "a", 0);
  expect(await schedulesOf(user, third)).toMatchObject([{ cardId: "a", reps: 4 }]);
  await send(user, move(third, from, ["a"]));
  await answer(from, "a", 0);
  await answer(to, "a", 0);
  expect(await schedulesOf(user, from)).toMatchObject([{ cardId: "a", reps: 6 }, { cardId: "b" }]);
  expect(await schedulesOf(user, to)).toEqual([]);
});

test("a move sent twice is applied once, and a card without answers can move", async () => {
  const { user, from, to } = await twoDecks();
  const [id, twin] = [ulid(), ulid()];
  await send(user, move(from, to, ["a", "c"], { id }));
  const before = await schedulesOf(user, to);
  await send(user, move(from, to, ["a", "c"], { id }), move(from, to, ["a", "c"], { id: twin }));
  expect(await schedulesOf(user, to)).toEqual(before);
});

test("moving cards never affects another student's cards", async () => {
  const { api, user, from, to } = await twoDecks();
  const stranger = await api.newUser();
  await send(stranger, move(from, to, ["a", "b"]));
  expect((await schedulesOf(user, from)).map(({ cardId }) => cardId)).toEqual(["a", "b"]);
  expect(await schedulesOf(user, to)).toEqual([]);
});
