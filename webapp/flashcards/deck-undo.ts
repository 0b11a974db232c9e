import { DEFAULT_DECK_TITLE, type Flashcard } from "#shared/flashcards/schema.ts";
import { knownBase, mergeDecks } from "#shared/pages/deck-merge.ts";

/** What one step made of the cards of a deck. */
export interface DeckStep {
  from: readonly Flashcard[];
  to: readonly Flashcard[];
}

const deckOf = (cards: readonly Flashcard[]) => ({ title: DEFAULT_DECK_TITLE, minimized: false, cards: [...cards] });

/** The cards as they would be had a step not been made: what came since, as from another device, stays. */
export function withoutStep(cards: readonly Flashcard[], { from, to }: DeckStep): readonly Flashcard[] {
  return cards === to ? from : mergeDecks(knownBase(deckOf(to)), deckOf(from), deckOf(cards)).content.cards;
}
