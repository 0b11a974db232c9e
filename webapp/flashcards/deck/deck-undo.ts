import { DEFAULT_DECK_TITLE, type Flashcard } from "#shared/flashcards/schema.ts";
import { completeBase, mergeDecks } from "#shared/pages/deck-merge.ts";

/** The cards of a deck before and after one step. */
export interface DeckStep {
  from: readonly Flashcard[];
  to: readonly Flashcard[];
}

const toDeckContent = (cards: readonly Flashcard[]) => ({
  title: DEFAULT_DECK_TITLE,
  minimized: false,
  cards: [...cards],
});

/** Reverts one step by a three-way merge, so that later changes, such as from another device, are not lost. */
export function revertStep(cards: readonly Flashcard[], { from, to }: DeckStep): readonly Flashcard[] {
  return cards === to
    ? from
    : mergeDecks(completeBase(toDeckContent(to)), toDeckContent(from), toDeckContent(cards)).content.cards;
}
