// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { afterEach, expect, test, vi } from "vitest";
import { writeCachedDeck, readCachedDeck, defaultSchedulingInput } from "#shared/study/deck/cached-decks.ts";
import { removeCachedPage } from "#shared/sync/storage/local-store.ts";
import { replay } from "#shared/study/rules.ts";
import { MAX_DECK_CARDS } from "#shared/flashcards/schema.ts";
import { aCard } from "#tests/store/changes.ts";
import { PageWorld } from "#tests/kit/browser/page-world.tsx";
import {
  closeDeck,
  deckAtom,
  editCard,
  editCards,
  mergeDeck,
  openDeck,
  moveCardsToDeck,
  undoEdit,
  captureUndo,
} from "#webapp/flashcards/deck/deck-state.ts";
import { uploadCardPicture } from "#webapp/flashcards/card-pictures.ts";
import { readCardFavourites, setCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { alertsAtom, dismissAlert } from "#webapp/app/alerts.ts";
import { setTransport } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { notifyRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { queue } from "#webapp/offline/sync.ts";

afterEach(() => closeDeck());

const deckOf = (id: string, ids: readonly string[]) => ({
  _id: id,
  type: "flash_cards" as const,
  content: { title: "Key terms", cards: ids.map((cardId) => aCard(cardId)), minimized: false },
});

const shownIds = () => {
  const deck = store.get(deckAtom);
  return deck.state === "ready" ? deck.cards.map(({ id }) => id) : [];
};

async function openDecks() {
  const world = new PageWorld([deckOf("deck-1", ["c1", "c2"]), deckOf("deck-2", ["c3"])]);
  await openDeck("page-1", "deck-1");
  return world;
}

const cachedOf = async (componentId: string) =>
  (await readCachedDeck({ accountId: queue().accountId, componentId }))?.schedules.map(({ cardId }) => cardId);

test("cards split into another deck keep their study data, on this device and in the queue", async () => {
  const world = await openDecks();
  const { accountId } = queue();
  const schedule = replay([{ _id: "r", cardId: "c1", componentId: "deck-1", grade: 3, reviewedAt: 1 }]);
  const allowance = { period: "2026-01-01", studiedToday: 0, dailyLimit: null, timezone: "UTC" };
  const cached = { schedules: schedule ? [schedule] : [], allowance, terms: defaultSchedulingInput, favourites: [] };
  await writeCachedDeck({ accountId, componentId: "deck-1" }, cached);
  setCardFavourites("deck-1", new Set(["c1"]));
  await moveCardsToDeck(new Set(["c1"]), { title: "Hard ones" });
  await queue().flush();
  const made = world.sent("component_create").at(-1);
  expect(made?.data.component.content).toMatchObject({ title: "Hard ones", cards: [{ id: "c1" }] });
  const to = made?.resourceId ?? "";
  expect(world.sent("card_move")).toMatchObject([
    { resourceId: "deck-1", data: { cardIds: ["c1"], toComponentId: to } },
  ]);
  expect(shownIds()).toEqual(["c2"]);
  expect([await cachedOf("deck-1"), await cachedOf(to)]).toEqual([[], ["c1"]]);
  expect([...readCardFavourites(to)]).toEqual(["c1"]);
});

test("undoing a step doesn't undo another device's later change", async () => {
  const world = await openDecks();
  editCards((cards) => cards.map((card) => ({ ...card, tags: ["exam"] })));
  window.dispatchEvent(new Event("pagehide"));
  await vi.waitFor(async () => {
    await queue().flush();
    expect(world.sent("component_content_update")).toHaveLength(1);
  });
  const [deck] = world.components;
  if (deck?.type !== "flash_cards") throw new Error("the first is a deck");
  const [first, second] = deck.content.cards.map((card) => ({ ...card, tags: ["exam"] }));
  if (!first || !second) throw new Error("the deck has two cards");
  const cards = [first, { ...second, question: "From the phone" }, aCard("c9")];
  world.components = world.components.with(0, { ...deck, version: 3, content: { ...deck.content, cards } });
  notifyRemoteChanges([{ kind: "content", ids: ["deck-1"] }]);
  await vi.waitFor(() => expect(shownIds()).toEqual(["c1", "c2", "c9"]));
  undoEdit();
  const shown = store.get(deckAtom);
  expect(shown.state === "ready" && shown.cards.map(({ id, question, tags }) => [id, question, tags ?? []])).toEqual([
    ["c1", first.question, []],
    ["c2", expect.any(String), []],
    ["c9", aCard("c9").question, []],
  ]);
});

test("a notice's undo reverts its own step, whatever was changed since", async () => {
  await openDecks();
  editCards((cards) => cards.filter(({ id }) => id !== "c1"));
  const bringBack = captureUndo();
  editCard("c2", { answer: "Written since" });
  bringBack();
  bringBack();
  const shown = store.get(deckAtom);
  expect(shown.state === "ready" && shown.cards.map(({ id, answer }) => [id, answer])).toEqual([
    ["c1", aCard("c1").answer],
    ["c2", "Written since"],
  ]);
  undoEdit();
  expect(shownIds()).toEqual(["c1", "c2"]);
});

const scheduleOf = (cardId: string, grade: 3 | 4) => {
  const schedule = replay([{ _id: "r", cardId, componentId: "deck-9", grade, reviewedAt: 1 }]);
  return schedule ? [schedule] : [];
};

test("caching a deck again writes only changed schedules and removes missing ones", async () => {
  const names = { accountId: "ann", componentId: "deck-9" };
  const allowance = { period: "2026-01-01", studiedToday: 0, dailyLimit: null, timezone: "UTC" };
  const rest = { allowance, terms: defaultSchedulingInput, favourites: [] };
  const first = ["c1", "c2", "c3"].flatMap((id) => scheduleOf(id, 3));
  await writeCachedDeck(names, { ...rest, schedules: first });
  const before = (await readCachedDeck(names))?.schedules;
  const written = vi.spyOn(IDBObjectStore.prototype, "put");
  await writeCachedDeck(names, { ...rest, schedules: [...first.slice(0, 1), ...scheduleOf("c2", 4)] }, before);
  expect(
    written.mock.contexts.filter((objectStore) => (objectStore as IDBObjectStore).name === "schedules"),
  ).toHaveLength(1);
  written.mockRestore();
  expect((await readCachedDeck(names))?.schedules).toEqual([...first.slice(0, 1), ...scheduleOf("c2", 4)]);
  // It is unknown what is cached of a deck that was never opened, so everything cached for it is replaced.
  await writeCachedDeck(names, { ...rest, schedules: scheduleOf("c3", 3) });
  expect((await readCachedDeck(names))?.schedules).toEqual(scheduleOf("c3", 3));
});

test("merging a deck brings its cards' study data", async () => {
  const world = await openDecks();
  await mergeDeck("deck-2");
  await queue().flush();
  expect(shownIds()).toEqual(["c1", "c2", "c3"]);
  expect(world.sent("card_move")).toMatchObject([
    { resourceId: "deck-2", data: { cardIds: ["c3"], toComponentId: "deck-1" } },
  ]);
});

test("merging more cards than a deck may have is refused without loss", async () => {
  await openDecks();
  const many = Array.from({ length: MAX_DECK_CARDS }, (_, at) => aCard(`more-${at}`));
  expect(editCards((cards) => [...cards, ...many])).toBe(false);
  expect(shownIds()).toEqual(["c1", "c2"]);
});

const messages = () => store.get(alertsAtom).map(({ message }) => message);

async function openWithoutNetwork() {
  const world = await openDecks();
  for (const { id } of store.get(alertsAtom)) dismissAlert(id);
  world.isReachable = false;
  return world;
}

const OFFLINE = "You're offline and the other deck isn't saved on this device. Connect to the internet and try again.";

test("without a network, cards move to a deck that is cached on this device, through the queue", async () => {
  await openWithoutNetwork();
  await moveCardsToDeck(new Set(["c1"]), { componentId: "deck-2" });
  expect(messages()).toEqual(["1 card moved"]);
  expect(shownIds()).toEqual(["c2"]);
  await mergeDeck("deck-2");
  expect(shownIds()).toEqual(["c2", "c3", "c1"]);
});

test("moving or merging cards offline says what to do if the page isn't cached, and moves none", async () => {
  await openWithoutNetwork();
  await removeCachedPage(queue().accountId, "page-1");
  await moveCardsToDeck(new Set(["c1"]), { componentId: "deck-2" });
  expect(messages()).toEqual([OFFLINE]);
  for (const { id } of store.get(alertsAtom)) dismissAlert(id);
  await mergeDeck("deck-2");
  expect(messages()).toEqual([OFFLINE]);
  expect(shownIds()).toEqual(["c1", "c2"]);
});

test("splitting cards into a new deck needs no network and no cached page", async () => {
  await openWithoutNetwork();
  await removeCachedPage(queue().accountId, "page-1");
  await moveCardsToDeck(new Set(["c1"]), { title: "Hard ones" });
  expect(messages()).toEqual(["1 card moved"]);
  expect(shownIds()).toEqual(["c2"]);
});

test("moving cards to a deck that another device deleted says so", async () => {
  const world = await openDecks();
  world.components = world.components.slice(0, 1);
  for (const { id } of store.get(alertsAtom)) dismissAlert(id);
  await moveCardsToDeck(new Set(["c1"]), { componentId: "deck-2" });
  expect(messages()).toEqual(["This deck is no longer on the page. Choose another one."]);
  expect(shownIds()).toEqual(["c1", "c2"]);
});

test("a deck opened while another one is being merged gets none of its cards", async () => {
  const world = await openDecks();
  const delayedCalls: (() => void)[] = [];
  setTransport(
    world.transportAfter(({ path }) => path === "/v1/pages/page-1" && delayedCalls.length === 0 && delayedCalls),
  );
  const merging = mergeDeck("deck-2");
  await vi.waitFor(() => expect(delayedCalls).toHaveLength(1));
  closeDeck();
  await openDeck("page-1", "deck-2");
  delayedCalls[0]?.();
  await merging;
  expect(shownIds()).toEqual(["c3"]);
});

test("a picture whose deck is left while it uploads is still added to its card", async () => {
  const world = await openDecks();
  const delayedCalls: (() => void)[] = [];
  const url = "/v1/files/cell.png";
  world.answers.set("/v1/flashcards/picture", () => ({ url }));
  setTransport(world.transportAfter(({ path }) => path.includes("picture") && delayedCalls));
  const uploading = uploadCardPicture("c2", "answer", new File(["cell"], "cell.png", { type: "image/png" }));
  await vi.waitFor(() => expect(delayedCalls).toHaveLength(1));
  closeDeck();
  await openDeck("page-1", "deck-2");
  delayedCalls[0]?.();
  await uploading;
  await queue().flush();
  expect(world.sent("component_content_update")).toMatchObject([
    { resourceId: "deck-1", data: { newContent: { cards: [{ id: "c1" }, { id: "c2", answerImage: url }] } } },
  ]);
  expect(shownIds()).toEqual(["c3"]);
});
