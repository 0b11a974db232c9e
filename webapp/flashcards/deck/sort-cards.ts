import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Schedules } from "#shared/study/session.ts";

export const CARD_ORDERS = ["deck", "next", "hardest"] as const;
export type CardOrder = (typeof CARD_ORDERS)[number];

/** Two new cards have the same rank, and the difference of two infinities would be no number. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b);

/** Cards as they are in the deck, those to be reviewed first, or those forgotten most often; new ones are last. */
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
