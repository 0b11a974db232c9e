import { readCardFavourites, setCardFavourites } from "./card-favourites.ts";
import { logWarning } from "#webapp/app/log.ts";
import { moveSchedules } from "#shared/study/deck/cached-decks.ts";
import { queue } from "#webapp/offline/sync.ts";

/** Moves the reviews, schedules and stars of cards to another deck. The caller updates the decks themselves. */
export async function moveCardData(from: string, to: string, cardIds: ReadonlySet<string>): Promise<void> {
  if (cardIds.size === 0) return;
  const { accountId } = queue();
  await queue().enqueue("card_move", from, { cardIds: [...cardIds], toComponentId: to });
  const favourites = [...readCardFavourites(from)];
  setCardFavourites(from, new Set(favourites.filter((id) => !cardIds.has(id))));
  setCardFavourites(to, new Set([...readCardFavourites(to), ...favourites.filter((id) => cardIds.has(id))]));
  // The server moves the schedules too. This local copy is only used offline.
  await moveSchedules({ accountId, componentId: from }, to, cardIds).catch((error: unknown) =>
    logWarning("Could not move the cached schedules of cards", error),
  );
}
