import type { Flashcard } from "#shared/flashcards/schema.ts";
import { applyStatusChanges } from "#shared/flashcards/card-status.ts";
import { logDeck } from "#shared/pages/deck-merge.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { AppliedChange, SyncTable } from "#api/sync/sync-table.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { bumpPage } from "../store.ts";
import { answerRepeat, changeComponent, contentFields, recordDeckChange } from "./apply-component.ts";

/**
 * Suspends, buries or restores cards without sending the deck. Returns a version only if the client had the current
 * deck; otherwise the client receives the changed deck with the next sync.
 */
async function applyCardStatus(ctx: UserCtx, request: SyncRequestOf<"card_standing">): Promise<AppliedChange> {
  const { id, resourceId, baseVersion, data } = request;
  const { doc, record, isRepeat } = await changeComponent(ctx.own, resourceId, id, (deck) => {
    if (deck.deletedAt !== null || deck.deckLog === null) return { set: {}, record: {} };
    const before = deck.content["cards"] as Flashcard[];
    const cards = applyStatusChanges(before, data.cards);
    if (JSON.stringify(cards) === JSON.stringify(before)) return { set: {}, record: {} };
    const content = { ...deck.content, cards };
    const fields = contentFields(deck, content, ctx.clock.now());
    const deckLog = logDeck(deck.deckLog, content as Parameters<typeof logDeck>[1], fields.version);
    const isCurrentVersion = baseVersion === deck.version;
    return {
      set: { ...fields, deckLog },
      record: isCurrentVersion ? { version: fields.version, conflict: false } : {},
      before: () => recordDeckChange(ctx, deck, content),
    };
  });
  if (!isRepeat) await bumpPage(ctx.own, doc.pageId);
  return record.version === undefined ? {} : { version: record.version, conflict: false };
}

export const cardStatusRows: SyncTable<"card_standing"> = {
  card_standing: {
    apply: applyCardStatus,
    answerRepeat,
    change: ({ resourceId }) => ({ kind: "content", ids: [resourceId] }),
  },
};
