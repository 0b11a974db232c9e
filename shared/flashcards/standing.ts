import type { Flashcard } from "./schema.ts";

/** Whether a card is asked: what is left out stays as it is. */
export interface CardStanding {
  cardId: string;
  isSuspended?: boolean | undefined;
  /** Not asked before this moment, epoch ms; null takes that back. */
  buriedUntil?: number | null | undefined;
}

function standing(card: Flashcard, { isSuspended, buriedUntil }: CardStanding): Flashcard {
  const { isSuspended: wasSuspended, buriedUntil: wasBuried, ...rest } = card;
  const suspended = isSuspended ?? wasSuspended ?? false;
  const buried = buriedUntil === undefined ? wasBuried : (buriedUntil ?? undefined);
  return {
    ...rest,
    ...(suspended ? { isSuspended: true } : {}),
    ...(buried === undefined ? {} : { buriedUntil: buried }),
  };
}

/** The cards with some of them suspended, put aside, or asked again; ids of no card change nothing. */
export function standCards(cards: readonly Flashcard[], changes: readonly CardStanding[]): Flashcard[] {
  const wanted = new Map(changes.map((change) => [change.cardId, change]));
  return cards.map((card) => {
    const change = wanted.get(card.id);
    return change ? standing(card, change) : card;
  });
}
