import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Component, Page } from "#shared/pages/schema.ts";

/** A deck as it is studied: its cards, and the names of the files that they cite. */
export interface Deck {
  componentId: string;
  pageId: string;
  pageTitle: string;
  title: string;
  cards: readonly Flashcard[];
  sources: ReadonlyMap<string, string>;
}

/** What of a page is needed to study one of its decks. */
export interface DeckPage {
  page: Page;
  components: readonly Component[];
}

/** Leaves out what studying does not need, so that little lies on the device. */
export function onlyForStudy({ page, components }: DeckPage, componentId: string): DeckPage {
  const isNeeded = ({ _id, type }: Component) => _id === componentId || type === "image" || type === "video";
  return { page, components: components.filter(isNeeded) };
}

/** Undefined where the page holds no such deck. */
export function deckOf({ page, components }: DeckPage, componentId: string): Deck | undefined {
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
  return { componentId, pageId: page._id, pageTitle: page.title, title, cards, sources };
}
