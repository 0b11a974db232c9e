import type { Flashcard } from "#shared/flashcards/schema.ts";
import { standCards } from "#shared/flashcards/standing.ts";
import { logDeck } from "#shared/pages/deck-merge.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { Applied } from "#api/store/applier.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { changeComponent, contentFields } from "./apply-component.ts";

/**
 * Suspends, buries or restores cards without sending the deck. Returns a version only if the client had the current
 * deck; otherwise it receives the rest with the next sync.
 */
export async function applyStanding(ctx: UserCtx, request: SyncRequestOf<"card_standing">): Promise<Applied> {
  const { id, resourceId, baseVersion, data } = request;
  const { mark } = await changeComponent(ctx.own, resourceId, id, (held) => {
    if (held.deletedAt !== null || held.deckLog === null) return { set: {}, mark: {} };
    const before = held.content["cards"] as Flashcard[];
    const cards = standCards(before, data.cards);
    if (JSON.stringify(cards) === JSON.stringify(before)) return { set: {}, mark: {} };
    const content = { ...held.content, cards };
    const fields = contentFields(held, content, ctx.clock.now());
    const deckLog = logDeck(held.deckLog, content as Parameters<typeof logDeck>[1], fields.version);
    const isKnown = baseVersion === held.version;
    return { set: { ...fields, deckLog }, mark: isKnown ? { version: fields.version, conflict: false } : {} };
  });
  return mark.version === undefined ? {} : { version: mark.version, conflict: false };
}
