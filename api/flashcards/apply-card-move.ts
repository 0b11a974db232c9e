import { forgetMovedCards } from "#api/store/figures/card-outcomes.ts";
import { moveStudy } from "#api/study/service.ts";
import type { SyncTable } from "#api/sync/sync-table.ts";
import { moveFavourites } from "./favourites.ts";

/** Reviews, schedules and stars follow cards to another deck; the decks themselves are sent separately. */
export const cardMoveTable: SyncTable<"card_move"> = {
  card_move: {
    async apply(ctx, { resourceId: from, data: { cardIds, toComponentId: to } }) {
      await moveStudy(ctx, { from, to, cardIds });
      await moveFavourites(ctx.own, { from, to, cardIds });
      await forgetMovedCards(ctx.own, cardIds);
      return {};
    },
    change: () => ({ kind: "study", ids: [] }),
  },
};
