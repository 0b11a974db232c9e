import type { Review } from "#shared/study/schema.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { type CardName, moveReviews, removeSchedules } from "./store.ts";

/** A card that went to another deck: an answer that was given where it stood before belongs to where it is. */
interface MoveDoc extends OwnedDoc {
  cardId: string;
  from: string;
  to: string;
}

const moves: CollectionSpec<MoveDoc> = {
  name: "card_moves",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "from", "cardId"] }, { fields: ["ownerId", "to", "cardId"] }],
};

const keyOf = (own: Own, from: string, cardId: string) =>
  `${own.ownerId}:${encodeURIComponent(from)}:${encodeURIComponent(cardId)}`;

export interface CardsMoved {
  from: string;
  to: string;
  cardIds: readonly string[];
}

const CHUNK = 400;

function* chunksOf(cardIds: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < cardIds.length; at += CHUNK) yield cardIds.slice(at, at + CHUNK);
}

/** Remembers where cards went; one that comes back is where it was, and nothing leads away from there. */
async function remember(own: Own, { from, to, cardIds }: CardsMoved): Promise<void> {
  const later = await own.in(moves).find({ to: from, cardId: { in: cardIds } });
  await Promise.all(later.map(({ _id }) => own.in(moves).patch({ _id }, { set: { to } })));
  await Promise.all(
    cardIds.map(async (cardId) => {
      const _id = keyOf(own, from, cardId);
      if ((await own.in(moves).insert({ _id, cardId, from, to })) === "duplicate")
        await own.in(moves).patch({ _id }, { set: { to } });
      await own.in(moves).remove({ _id: keyOf(own, to, cardId) });
    }),
  );
}

/**
 * Takes the answers of cards to another deck; answers which cards have any there, and the days on which they were given.
 * A repeat changes nothing and answers the same, so that what follows from it can be repeated too.
 */
export async function moveCards(own: Own, { from, to, cardIds }: CardsMoved) {
  const studied = new Set<string>();
  const periods = new Set<string>();
  for (const some of chunksOf(cardIds)) {
    await remember(own, { from, to, cardIds: some });
    for (const { cardId, period } of await moveReviews(own, { from, to, cardIds: some })) {
      studied.add(cardId);
      periods.add(period);
    }
    await removeSchedules(own, from, some);
  }
  return { studied, periods };
}

/** Where the cards of some answers are now, by the names that the answers know; nothing for those that stayed. */
export async function movedTo(own: Own, named: readonly CardName[]): Promise<(name: CardName) => string> {
  const decks = [...new Set(named.map(({ componentId }) => componentId))];
  const cards = [...new Set(named.map(({ cardId }) => cardId))];
  const found = await Promise.all(
    [...chunksOf(cards)].map((some) => own.in(moves).find({ from: { in: decks }, cardId: { in: some } })),
  );
  const known = new Map(found.flat().map(({ from, cardId, to }) => [JSON.stringify([from, cardId]), to]));
  return ({ componentId, cardId }) => known.get(JSON.stringify([componentId, cardId])) ?? componentId;
}

/** Answers as they are of the decks in which their cards are now. */
export async function atHome<T extends Review>(own: Own, reviews: readonly T[]): Promise<T[]> {
  if (reviews.length === 0) return [];
  const deckOf = await movedTo(own, reviews);
  return reviews.map((review) => ({ ...review, componentId: deckOf(review) }));
}
