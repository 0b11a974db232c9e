import type { Flashcard } from "./schema.ts";

/** A change of a card's status; omitted fields stay unchanged. */
export interface CardStatusChange {
  cardId: string;
  isSuspended?: boolean | undefined;
  /** Not shown before this time, epoch ms; null clears it. */
  buriedUntil?: number | null | undefined;
}

function withStatus(card: Flashcard, { isSuspended, buriedUntil }: CardStatusChange): Flashcard {
  const { isSuspended: wasSuspended, buriedUntil: wasBuried, ...rest } = card;
  const suspended = isSuspended ?? wasSuspended ?? false;
  const buried = buriedUntil === undefined ? wasBuried : (buriedUntil ?? undefined);
  return {
    ...rest,
    ...(suspended ? { isSuspended: true } : {}),
    ...(buried === undefined ? {} : { buriedUntil: buried }),
  };
}

/** Returns the cards with the changes applied; unknown ids are ignored. */
export function applyStatusChanges(cards: readonly Flashcard[], changes: readonly CardStatusChange[]): Flashcard[] {
  const changesById = new Map(changes.map((change) => [change.cardId, change]));
  return cards.map((card) => {
    const change = changesById.get(card.id);
    return change ? withStatus(card, change) : card;
  });
}
