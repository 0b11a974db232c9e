import { Failure } from "#shared/contract/failure.ts";
import { type Flashcard, MAX_DECK_CARDS } from "#shared/flashcards/schema.ts";
import { logDeck } from "#shared/pages/deck-merge.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { changeOnce } from "#api/store/change-once.ts";
import type { Own } from "#api/store/owned-store.ts";
import { summaryFieldsOf } from "../present.ts";
import { bumpPage, componentsOf } from "../store.ts";

interface AppendOptions {
  generationId: string;
  now: number;
  /** The id that a card had before it was exported; the deck may contain the card under this id. */
  earlierId?: (cardId: string) => string;
}

/**
 * Appends cards to a deck and returns its version. Cards that are or were in the deck are skipped, so a repeat changes
 * nothing and removed cards stay removed.
 */
export async function appendCards(
  own: Own,
  componentId: string,
  cards: readonly Flashcard[],
  { generationId, now, earlierId = (id) => id }: AppendOptions,
): Promise<{ version: number; cardCount: number }> {
  const requestId = `${generationId}:${cards.at(-1)?.id ?? ""}`;
  const { doc } = await changeOnce(componentsOf(own), {
    id: componentId,
    requestId,
    change: (deck) => {
      if (deck.deletedAt !== null || deck.deckLog === null) throw new Failure("not_found", "no_deck");
      const knownIds = new Set(deck.deckLog.map(([key]) => key));
      const newCards = cards.filter(({ id }) => !knownIds.has(id) && !knownIds.has(earlierId(id)));
      const all = [...(deck.content["cards"] as Flashcard[]), ...newCards];
      if (all.length > MAX_DECK_CARDS) throw new Failure("too_large", "deck_full");
      if (newCards.length === 0) return { set: {} };
      const content = { ...deck.content, cards: all };
      const version = deck.version + 1;
      const deckLog = logDeck(deck.deckLog, content as Parameters<typeof logDeck>[1], version);
      return { set: { content, version, deckLog, modifiedAt: now, ...summaryFieldsOf(deck.type, content) } };
    },
  });
  await bumpPage(own, doc.pageId);
  await publishChanges(own, [{ kind: "content", ids: [componentId] }]);
  return { version: doc.version, cardCount: doc.cardCount ?? 0 };
}
