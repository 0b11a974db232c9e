import { readCardFavourites, showCardFavourites } from "./card-favourites.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { moveSchedules } from "#shared/study/kept-decks.ts";
import { queue } from "#webapp/offline/sync.ts";

/** What is known of cards follows them into another deck: answers, schedules and marks. The decks are kept by who moved them. */
export async function followCards(from: string, to: string, cardIds: ReadonlySet<string>): Promise<void> {
  if (cardIds.size === 0) return;
  const { accountId } = queue();
  await queue().enqueue("card_move", from, { cardIds: [...cardIds], toComponentId: to });
  const marked = [...readCardFavourites(from)];
  showCardFavourites(from, new Set(marked.filter((id) => !cardIds.has(id))));
  showCardFavourites(to, new Set([...readCardFavourites(to), ...marked.filter((id) => cardIds.has(id))]));
  // The server knows it anyway: this copy only serves where there is no network.
  await moveSchedules({ accountId, componentId: from }, to, cardIds).catch((error: unknown) =>
    logTrouble("What this device knew of cards could not follow them", error),
  );
}
