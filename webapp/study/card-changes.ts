import { t } from "#shared/messages/translate.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { standCards, type CardStanding } from "#shared/flashcards/standing.ts";
import { dayOf } from "#shared/study/today.ts";
import { notify } from "#webapp/app/alerts.ts";
import { editDeck } from "#webapp/flashcards/deck-edit.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { goOnWithout } from "./aside.ts";
import { studyDoor } from "./door.ts";
import { studyAtom } from "./view.ts";

type CardChange = (card: Flashcard) => readonly Flashcard[];

/** Changes one card of the deck being studied. */
async function changeCard(cardId: string, change: CardChange): Promise<boolean> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return false;
  const apply = (cards: readonly Flashcard[]) => cards.flatMap((card) => (card.id === cardId ? change(card) : card));
  try {
    await editDeck(view.deck, apply);
  } catch (error) {
    logTrouble("Could not change a card", error);
    notify({ message: t("study.not_changed"), type: "error" });
    return false;
  }
  goOnWithout({ ...view.deck, cards: apply(view.deck.cards) }, null);
  return true;
}

/** Applies a card status change; `leaves` if the card leaves today's session. */
async function stand(change: CardStanding, { leaves }: { leaves: boolean }): Promise<boolean> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return false;
  const { deck } = view;
  try {
    await studyDoor().enqueue("card_standing", deck.componentId, { cards: [change] });
  } catch (error) {
    logTrouble("Could not change the status of a card", error);
    notify({ message: t("study.not_changed"), type: "error" });
    return false;
  }
  goOnWithout({ ...deck, cards: standCards(deck.cards, [change]) }, leaves ? change.cardId : null);
  return true;
}

function undoable(message: string, back: CardStanding): void {
  const run = () => void stand(back, { leaves: false });
  notify({ message, type: "success", action: { label: t("common.undo"), run } });
}

/** The card stays in its deck but is not shown again until the student unsuspends it. */
export async function suspendCard(cardId: string): Promise<void> {
  const isDone = await stand({ cardId, isSuspended: true }, { leaves: true });
  if (isDone) undoable(t("study.suspended"), { cardId, isSuspended: false });
}

/** The card is not shown again before the next study day. */
export async function buryCard(cardId: string): Promise<void> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return;
  const buriedUntil = dayOf(studyDoor().now(), view.allowance).endsAt;
  const isDone = await stand({ cardId, buriedUntil }, { leaves: true });
  if (isDone) undoable(t("study.buried"), { cardId, buriedUntil: null });
}

/** Stores the hint on the card, so that it stays the same. On failure it is generated again next time. */
export async function keepHint(cardId: string, hint: string): Promise<void> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return;
  const ai = { hint, hintGeneratedAt: studyDoor().now() };
  const apply = (cards: readonly Flashcard[]) => cards.map((card) => (card.id === cardId ? { ...card, ai } : card));
  try {
    await editDeck(view.deck, apply);
  } catch (error) {
    logTrouble("Could not store a hint", error);
  }
}

/** Replaces the card with the first of `sides`, keeping its history, and adds the others as new cards after it. */
export function rewriteCard(
  cardId: string,
  sides: readonly Pick<Flashcard, "question" | "answer">[],
): Promise<boolean> {
  return changeCard(cardId, (card) =>
    sides.map((side, at) => {
      const { ai: _hintOfTheOldWords, ...first } = card;
      if (at === 0) return { ...first, ...side };
      const { citation, tags } = card;
      return { id: studyDoor().newId(), ...side, questionImage: null, citation, ...(tags ? { tags } : {}) };
    }),
  );
}
