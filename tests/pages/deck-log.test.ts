import { expect, test } from "vitest";
import type { DeckContent } from "#shared/flashcards/schema.ts";
import { type DeckLog, loggedBase, logDeck, mergeDecks } from "#shared/pages/deck-merge.ts";
import { aCard } from "#tests/store/changes.ts";

const deckOf = (ids: readonly string[]): DeckContent => ({
  title: "Genes",
  minimized: false,
  cards: ids.map((id) => aCard(id)),
});
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `card-${from + at}`);
const removed = (log: DeckLog) => log.filter(([, changes]) => changes.at(-1)?.[1] === "").length;

/** A deck in which 500 cards were replaced by new ones, nine times in a row. */
function replacedOften() {
  let log = logDeck([], deckOf(ids(0, 500)), 1);
  for (let round = 1; round < 10; round += 1)
    log = logDeck(log, deckOf(ids(round * 500, (round + 1) * 500)), round + 1);
  return { log, now: deckOf(ids(4500, 5000)) };
}

test("a deck remembers a limited number of removed cards, the most recent ones", () => {
  const { log } = replacedOften();
  expect(removed(log)).toBe(2000);
  const keys = new Set(log.map(([key]) => key));
  expect([keys.has("card-4499"), keys.has("card-2500"), keys.has("card-2499")]).toEqual([true, true, false]);
});

test("a device that was away longer restores no removed card", () => {
  const { log, now } = replacedOften();
  const { content } = mergeDecks(loggedBase(log, 9), deckOf(ids(4000, 4500)), now);
  expect(content.cards.map(({ id }) => id)).toEqual(now.cards.map(({ id }) => id));
});

test("a device from before the log loses nothing: its changes and the others' are merged", () => {
  const { log, now } = replacedOften();
  const mine = deckOf([...ids(0, 500), "written-on-the-train"]);
  const { content } = mergeDecks(loggedBase(log, 1), mine, now);
  const found = new Set(content.cards.map(({ id }) => id));
  expect(found.has("written-on-the-train")).toBe(true);
  for (const { id } of now.cards) expect(found.has(id)).toBe(true);
});
