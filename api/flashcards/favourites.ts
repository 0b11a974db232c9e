import { Failure } from "#shared/contract/failure.ts";
import type { cardFavourites, CardFavourite } from "#shared/flashcards/favourites-contract.ts";
import type { Handlers } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { findComponent } from "#api/pages/find-component.ts";

interface FavouriteDoc extends OwnedDoc {
  cardId: string;
  componentId: string;
  createdAt: number;
}

const favourites: CollectionSpec<FavouriteDoc> = {
  name: "card_favourites",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "componentId"] }],
};

const favouriteKey = (own: Own, componentId: string, cardId: string) =>
  `${own.ownerId}:${encodeURIComponent(componentId)}:${encodeURIComponent(cardId)}`;

async function listFavourites(own: Own, componentId?: string): Promise<CardFavourite[]> {
  const docs = await own.in(favourites).find(componentId === undefined ? {} : { componentId });
  return docs.map(({ _id, ownerId: userId, cardId, componentId: deck, createdAt }) => ({
    _id,
    userId,
    cardId,
    componentId: deck,
    createdAt,
  }));
}

/** Moves the stars of cards that moved to another deck. */
export async function moveFavourites(
  own: Own,
  { from, to, cardIds }: { from: string; to: string; cardIds: readonly string[] },
): Promise<void> {
  const moved = new Set(cardIds);
  const docs = (await own.in(favourites).find({ componentId: from })).filter(({ cardId }) => moved.has(cardId));
  await Promise.all(
    docs.map(async ({ _id, cardId, createdAt }) => {
      await own.in(favourites).insert({ _id: favouriteKey(own, to, cardId), cardId, componentId: to, createdAt });
      await own.in(favourites).remove({ _id });
    }),
  );
}

type FavouriteHandlers = Pick<Handlers<typeof cardFavourites>, "listCardFavourites" | "changeCardFavourites">;

export const favouriteHandlers: FavouriteHandlers = {
  async listCardFavourites({ own }, { componentId }) {
    return { favorites: await listFavourites(own, componentId) };
  },

  async changeCardFavourites({ own, clock }, { pageId, componentId, requests }) {
    const deck = await findComponent(own, componentId);
    if (deck?.type !== "flash_cards" || deck.pageId !== pageId) throw new Failure("not_found", "no_deck");
    const deckCardIds = new Set(deck.content.cards.map((card) => card.id));
    const actionByCard = new Map(requests.map(({ cardId, action }) => [cardId, action]));
    await Promise.all(
      [...actionByCard].map(async ([cardId, action]) => {
        const _id = favouriteKey(own, componentId, cardId);
        if (action === "remove") return own.in(favourites).remove({ _id });
        // Ignore cards that were deleted elsewhere in the meantime.
        return deckCardIds.has(cardId)
          ? own.in(favourites).insert({ _id, cardId, componentId, createdAt: clock.now() })
          : 0;
      }),
    );
    return { favorites: await listFavourites(own, componentId) };
  },
};
