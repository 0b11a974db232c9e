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

/** The names of a page's files and videos by component id. */
export const sourceNames = ({ components }: PageState): ReadonlyMap<string, string> =>
  new Map(
    components.flatMap((component) =>
      component.type === "image" || component.type === "video"
        ? [[component._id, component.content.title || component.content.file.name] as const]
        : [],
    ),
  );

/** Undefined if the page has no such deck. */
export function findDeck(state: PageState, componentId: string): Deck | undefined {
  const { page, components } = state;
  const deck = components.find((component) => component._id === componentId);
  if (deck?.type !== "flash_cards") return undefined;
  const { title, cards } = deck.content;
  const { pageId } = deck;
  return { componentId, pageId, pageTitle: page?.title ?? "", title, cards, sources: sourceNames(state) };
}
