import { DeckContent, type Flashcard } from "#shared/flashcards/schema.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import { loadPage, queue } from "#webapp/offline/sync.ts";

type ChangeCards = (cards: readonly Flashcard[]) => readonly Flashcard[];

/** The dependencies of editing a deck that is not open on its page. */
interface DeckEditDeps {
  loadPage(pageId: string): Promise<PageState>;
  update(componentId: string, content: Record<string, unknown>, baseVersion: number): Promise<unknown>;
}

let deps: DeckEditDeps = {
  loadPage,
  update: (id, newContent, baseVersion) =>
    queue().enqueue("component_content_update", id, { newContent }, { baseVersion }),
};

/** Lets tests replace the browser and the network. */
export function setDeckEditDeps(next: DeckEditDeps): void {
  deps = next;
}

/** Changes the cards of a deck that is not open on its page. Resolves once they are stored on this device. */
export async function editDeck(
  { pageId, componentId }: { pageId: string; componentId: string },
  change: ChangeCards,
): Promise<readonly Flashcard[]> {
  const { components } = await deps.loadPage(pageId);
  const deck = components.find((component) => component._id === componentId);
  if (deck?.type !== "flash_cards") throw new Error("Deck not found");
  const cards = [...change(deck.content.cards)];
  await deps.update(componentId, DeckContent.parse({ ...deck.content, cards }), deck.version);
  return cards;
}
