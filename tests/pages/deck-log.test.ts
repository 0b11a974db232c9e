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

/** A deck of which 500 cards at a time are replaced by others, nine times over. */
function replacedOften() {
  let log = logDeck([], deckOf(ids(0, 500)), 1);
  for (let round = 1; round < 10; round += 1)
    log = logDeck(log, deckOf(ids(round * 500, (round + 1) * 500)), round + 1);
  return { log, now: deckOf(ids(4500, 5000)) };
}

test("what a deck remembers of cards that are gone stays bounded, and those removed last are the ones remembered", () => {
  const { log } = replacedOften();
  expect(removed(log)).toBe(2000);
  const keys = new Set(log.map(([key]) => key));
  expect([keys.has("card-4499"), keys.has("card-2500"), keys.has("card-2499")]).toEqual([true, true, false]);
});

test("a device that was away since what is remembered brings nothing back", () => {
  const { log, now } = replacedOften();
  const { content } = mergeDecks(loggedBase(log, 9), deckOf(ids(4000, 4500)), now);
  expect(content.cards.map(({ id }) => id)).toEqual(now.cards.map(({ id }) => id));
});

test("a device from before what is remembered loses nothing: what it wrote is there, and what the others wrote too", () => {
  const { log, now } = replacedOften();
  const mine = deckOf([...ids(0, 500), "written-on-the-train"]);
  const { content } = mergeDecks(loggedBase(log, 1), mine, now);
  const found = new Set(content.cards.map(({ id }) => id));
  expect(found.has("written-on-the-train")).toBe(true);
  for (const { id } of now.cards) expect(found.has(id)).toBe(true);
});
