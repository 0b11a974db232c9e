import type { Review } from "#shared/study/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { type CardKey, moveReviews, removeSchedules } from "./store.ts";

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

const moveKey = (own: Own, from: string, cardId: string) =>
  `${own.ownerId}:${encodeURIComponent(from)}:${encodeURIComponent(cardId)}`;

export interface CardsMoved {
  from: string;
  to: string;
  cardIds: readonly string[];
}

const CHUNK_SIZE = 400;

function* chunksOf(cardIds: readonly string[]): Generator<readonly string[]> {
  for (let offset = 0; offset < cardIds.length; offset += CHUNK_SIZE) yield cardIds.slice(offset, offset + CHUNK_SIZE);
}

/** Records a move; a card that returns leaves no redirect from its current deck. */
async function recordMove(own: Own, { from, to, cardIds }: CardsMoved): Promise<void> {
  const earlierMoves = await own.in(moves).find({ to: from, cardId: { in: cardIds } });
  await Promise.all(earlierMoves.map(({ _id }) => own.in(moves).patch({ _id }, { set: { to } })));
  await Promise.all(
    cardIds.map(async (cardId) => {
      const _id = moveKey(own, from, cardId);
      if ((await own.in(moves).insert({ _id, cardId, from, to })) === "duplicate")
        await own.in(moves).patch({ _id }, { set: { to } });
      await own.in(moves).remove({ _id: moveKey(own, to, cardId) });
    }),
  );
}

/**
 * Moves reviews of cards to another deck; returns the cards that have reviews there, and the days of these reviews.
 * Idempotent: a repeat returns the same.
 */
export async function moveCards(own: Own, { from, to, cardIds }: CardsMoved) {
  const studied = new Set<string>();
  const periods = new Set<string>();
  for (const chunk of chunksOf(cardIds)) {
    await recordMove(own, { from, to, cardIds: chunk });
    for (const { cardId, period } of await moveReviews(own, { from, to, cardIds: chunk })) {
      studied.add(cardId);
      periods.add(period);
    }
    await removeSchedules(own, from, chunk);
  }
  return { studied, periods };
}

/** Resolves cards to their current deck; cards that never moved keep theirs. */
export async function resolveDecks(own: Own, cardRefs: readonly CardKey[]): Promise<(card: CardKey) => string> {
  const decks = [...new Set(cardRefs.map(({ componentId }) => componentId))];
  const cards = [...new Set(cardRefs.map(({ cardId }) => cardId))];
  const found = await Promise.all(
    [...chunksOf(cards)].map((chunk) => own.in(moves).find({ from: { in: decks }, cardId: { in: chunk } })),
  );
  const targetDecks = new Map(found.flat().map(({ from, cardId, to }) => [JSON.stringify([from, cardId]), to]));
  return ({ componentId, cardId }) => targetDecks.get(JSON.stringify([componentId, cardId])) ?? componentId;
}

/** The reviews, each with the deck that its card is in now. */
export async function withCurrentDeck<T extends Review>(own: Own, reviews: readonly T[]): Promise<T[]> {
  if (reviews.length === 0) return [];
  const deckOf = await resolveDecks(own, reviews);
  return reviews.map((review) => ({ ...review, componentId: deckOf(review) }));
}
