import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { PageState } from "#shared/sync/overlay.ts";

/** A deck being studied: its cards and the names of the files they cite. */
export interface Deck {
  componentId: string;
  pageId: string;
  pageTitle: string;
  title: string;
  cards: readonly Flashcard[];
  sources: ReadonlyMap<string, string>;
}

/** Undefined if the page has no such deck. */
export function findDeck({ page, components }: PageState, componentId: string): Deck | undefined {
  const deck = components.find((component) => component._id === componentId);
  if (deck?.type !== "flash_cards") return undefined;
  const sources = new Map(
    components.flatMap((component) =>
      component.type === "image" || component.type === "video"
        ? [[component._id, component.content.title || component.content.file.name] as const]
        : [],
    ),
  );
  const { title, cards } = deck.content;
  return { componentId, pageId: deck.pageId, pageTitle: page?.title ?? "", title, cards, sources };
}
