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

/** Changes one card of the deck that is studied. */
async function changeCard(cardId: string, change: CardChange): Promise<boolean> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return false;
  const apply = (cards: readonly Flashcard[]) => cards.flatMap((card) => (card.id === cardId ? change(card) : card));
  try {
    await editDeck(view.deck, apply);
  } catch (error) {
    logTrouble("A card could not be changed", error);
    notify({ message: t("study.not_changed"), type: "error" });
    return false;
  }
  goOnWithout({ ...view.deck, cards: apply(view.deck.cards) }, null);
  return true;
}

/** Says of one card whether it is asked; `leaves` where it is not asked any more today. */
async function stand(change: CardStanding, { leaves }: { leaves: boolean }): Promise<boolean> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return false;
  const { deck } = view;
  try {
    await studyDoor().enqueue("card_standing", deck.componentId, { cards: [change] });
  } catch (error) {
    logTrouble("A card could not be put aside", error);
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

/** The card stays in its deck and is not asked until the student takes this back. */
export async function suspendCard(cardId: string): Promise<void> {
  const isDone = await stand({ cardId, isSuspended: true }, { leaves: true });
  if (isDone) undoable(t("study.suspended"), { cardId, isSuspended: false });
}

/** The card is not asked before the next study day. */
export async function buryCard(cardId: string): Promise<void> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return;
  const buriedUntil = dayOf(studyDoor().now(), view.allowance).endsAt;
  const isDone = await stand({ cardId, buriedUntil }, { leaves: true });
  if (isDone) undoable(t("study.buried"), { cardId, buriedUntil: null });
}

/** Keeps the hint that was shown, so that it is the same one the next time; where that fails it is asked for again. */
export async function keepHint(cardId: string, hint: string): Promise<void> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return;
  const ai = { hint, hintGeneratedAt: studyDoor().now() };
  const apply = (cards: readonly Flashcard[]) => cards.map((card) => (card.id === cardId ? { ...card, ai } : card));
  try {
    await editDeck(view.deck, apply);
  } catch (error) {
    logTrouble("A hint could not be kept", error);
  }
}

/** Puts the first of `sides` in the card's place, with its history, and the others as new cards behind it. */
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
