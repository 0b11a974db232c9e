import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { applyToPage } from "#shared/sync/overlay.ts";
import { SyncRequest } from "#shared/sync/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, deckContent, send } from "#tests/store/changes.ts";

const NOW = Date.UTC(2026, 0, 1);

async function aStudiedDeck() {
  const api = await startApi();
  const user = await api.newUser();
  const pageId = await aPage(user);
  const componentId = await aDeck(user, pageId, [aCard("a"), aCard("b"), aCard("c")]);
  const read = async () => {
    const { components } = await user.client.pages.getPage({ id: pageId });
    const deck = components.find(({ _id }) => _id === componentId);
    if (deck?.type !== "flash_cards") throw new Error("The deck is gone");
    return deck;
  };
  return { api, user, pageId, componentId, read };
}

const fresh = async (user: TestUser) => (await user.client.study.getDue({})).decks[0]?.fresh;
const byId = (cards: readonly Flashcard[], id: string) => cards.find((card) => card.id === id);

test("a card can be suspended, buried and restored by a request without the deck", async () => {
  const { user, componentId, read } = await aStudiedDeck();
  const change = aChange("card_standing", componentId, { cards: [{ cardId: "b", isSuspended: true }] });
  expect(JSON.stringify(change).length).toBeLessThan(400);
  await send(user, change);
  expect((await read()).content.cards.map((card) => card.isSuspended ?? false)).toEqual([false, true, false]);
  expect(await fresh(user)).toBe(2);
  await send(user, aChange("card_standing", componentId, { cards: [{ cardId: "a", buriedUntil: NOW }] }));
  expect(byId((await read()).content.cards, "a")?.buriedUntil).toBe(NOW);
  const back = [
    { cardId: "a", buriedUntil: null },
    { cardId: "b", isSuspended: false },
  ];
  await send(user, aChange("card_standing", componentId, { cards: back }));
  expect((await read()).content.cards).toEqual([aCard("a"), aCard("b"), aCard("c")]);
  expect(await fresh(user)).toBe(3);
});

test("a request sent twice is applied once, and a request for a missing card changes nothing", async () => {
  const { user, componentId, read } = await aStudiedDeck();
  const id = ulid();
  const change = aChange("card_standing", componentId, { cards: [{ cardId: "b", isSuspended: true }] }, { id });
  await send(user, change);
  await send(user, change);
  await send(user, aChange("card_standing", componentId, { cards: [{ cardId: "gone", isSuspended: true }] }));
  expect((await read()).version).toBe(2);
});

test("an edit based on the earlier deck keeps both: the edit and the suspended card", async () => {
  const { user, componentId, read } = await aStudiedDeck();
  await send(user, aChange("card_standing", componentId, { cards: [{ cardId: "b", isSuspended: true }] }));
  const newContent = deckContent([{ ...aCard("a"), answer: "a better answer" }, aCard("b"), aCard("c")]);
  await send(user, aChange("component_content_update", componentId, { newContent }, { baseVersion: 1 }));
  const { cards } = (await read()).content;
  expect(byId(cards, "a")?.answer).toBe("a better answer");
  expect(byId(cards, "b")?.isSuspended).toBe(true);
});

test("the new version is returned only to clients that knew the current one", async () => {
  const { user, componentId } = await aStudiedDeck();
  const stand = (cardId: string, baseVersion: number) =>
    send(user, aChange("card_standing", componentId, { cards: [{ cardId, isSuspended: true }] }, { baseVersion }));
  expect((await stand("a", 1)).versions).toMatchObject([{ version: 2, conflict: false }]);
  expect((await stand("b", 1)).versions).toEqual([]);
});

test("another student's deck returns not_found", async () => {
  const { api, componentId, read } = await aStudiedDeck();
  const stranger = await api.newUser();
  const change = aChange("card_standing", componentId, { cards: [{ cardId: "a", isSuspended: true }] });
  const answer = await stranger.client.sync.sendChanges({ payload: [change] });
  expect(answer.failed).toMatchObject([{ code: "not_found", retriable: false }]);
  expect((await read()).version).toBe(1);
});

test("unsaved changes are applied to the deck on the screen", async () => {
  const { user, pageId, componentId } = await aStudiedDeck();
  const state = await user.client.pages.getPage({ id: pageId });
  const request = SyncRequest.parse(
    aChange("card_standing", componentId, { cards: [{ cardId: "c", isSuspended: true }] }),
  );
  const { components } = applyToPage([request], { accountId: user.userId, pageId }, state);
  const [deck] = components;
  expect(deck?.type === "flash_cards" && byId(deck.content.cards, "c")?.isSuspended).toBe(true);
});
