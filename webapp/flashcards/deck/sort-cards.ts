import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Schedules } from "#shared/study/session.ts";

export const CARD_ORDERS = ["deck", "next", "hardest"] as const;
export type CardOrder = (typeof CARD_ORDERS)[number];

/** Equal ranks are compared first, because new cards have the rank Infinity, and Infinity - Infinity is NaN. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b);

/**
 * Sorts cards in deck order, by next review, or by how often they were forgotten. New cards are last unless in deck
 * order.
 */
export function sortCards(cards: readonly Flashcard[], order: CardOrder, schedules: Schedules): readonly Flashcard[] {
  if (order === "deck") return cards;
  const rank = ({ id }: Flashcard): readonly [number, number] => {
    const schedule = schedules.get(id);
    if (!schedule) return [Infinity, 0];
    return order === "next" ? [schedule.dueAt, 0] : [-schedule.lapses, -schedule.difficulty];
  };
  const ranked = cards.map((card) => ({ card, rank: rank(card) }));
  return ranked
    .toSorted((a, b) => compare(a.rank[0], b.rank[0]) || compare(a.rank[1], b.rank[1]))
    .map(({ card }) => card);
}
