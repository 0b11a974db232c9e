import type { Review } from "#shared/study/schema.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { type CardName, moveReviews, removeSchedules } from "./store.ts";

/** A card that moved to another deck, so that reviews made under its old deck are assigned correctly. */
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

/** Records a move; a card that returns leaves no redirect from its current deck. */
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
 * Moves reviews of cards to another deck; returns the cards that have reviews there and the days of those. Idempotent,
 * and a repeat returns the same.
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

/** Resolves cards to their current deck; cards that never moved keep theirs. */
export async function movedTo(own: Own, named: readonly CardName[]): Promise<(name: CardName) => string> {
  const decks = [...new Set(named.map(({ componentId }) => componentId))];
  const cards = [...new Set(named.map(({ cardId }) => cardId))];
  const found = await Promise.all(
    [...chunksOf(cards)].map((some) => own.in(moves).find({ from: { in: decks }, cardId: { in: some } })),
  );
  const known = new Map(found.flat().map(({ from, cardId, to }) => [JSON.stringify([from, cardId]), to]));
  return ({ componentId, cardId }) => known.get(JSON.stringify([componentId, cardId])) ?? componentId;
}

/** The reviews with the deck that their card is in now. */
export async function atHome<T extends Review>(own: Own, reviews: readonly T[]): Promise<T[]> {
  if (reviews.length === 0) return [];
  const deckOf = await movedTo(own, reviews);
  return reviews.map((review) => ({ ...review, componentId: deckOf(review) }));
}
