import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import type { DraftCard } from "./store.ts";

/**
 * Generates one card for a selection with the built-in engine; if it finds no question, the selection becomes the
 * answer and the question is left empty.
 */
export function draftCard(text: string): DraftCard {
  for (const event of generateCards(passagesFromText(text), { density: "LOW", maxCards: 1 }))
    if (event.type === "card") return { question: event.card.question, answer: event.card.answer };
  return { question: "", answer: text };
}
