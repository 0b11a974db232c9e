import { generateCards } from "#shared/engine/cards.ts";
import { passagesFromText } from "#shared/engine/plain-text.ts";
import type { DraftCard } from "./store.ts";

/**
 * One card about a selection, by the built-in engine. Where it finds nothing to ask, the words are the answer and the
 * question is left to the student.
 */
export function draftCard(text: string): DraftCard {
  for (const event of generateCards(passagesFromText(text), { density: "LOW", atMost: 1 }))
    if (event.type === "card") return { question: event.card.question, answer: event.card.answer };
  return { question: "", answer: text };
}
