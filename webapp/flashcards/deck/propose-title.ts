import { toFailureMessage } from "#shared/client/failure-messages.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";

/** Proposes a deck title from the deck's cards. On failure, shows the reason and resolves to null. */
export async function proposeTitle(cards: readonly Flashcard[]): Promise<string | null> {
  try {
    const sent = cards.map(({ question, answer, citation }) => ({ question, answer, citation }));
    return (await client.flashcards.nameDeck({ cards: sent })).title;
  } catch (error) {
    const message = toFailureMessage(error, "flashcards")?.message;
    if (message !== undefined) notify({ type: "error", message });
    return null;
  }
}
