import { t } from "#shared/messages/translate.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { standCards, type CardStatusChange } from "#shared/flashcards/card-status.ts";
import { studyDayOf } from "#shared/study/today.ts";
import { notify } from "#webapp/app/alerts.ts";
import { editDeck } from "#webapp/flashcards/deck/deck-edit.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { continueWithout } from "./skip-card.ts";
import { getStudyPort } from "../study-port.ts";
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
    logWarning("Could not change a card", error);
    notify({ message: t("study.not_changed"), type: "error" });
    return false;
  }
  continueWithout({ ...view.deck, cards: apply(view.deck.cards) }, null);
  return true;
}

/** Applies a card status change; `leaves` if the card leaves today's session. */
async function changeCardStatus(
  change: CardStatusChange,
  { removesFromSession }: { removesFromSession: boolean },
): Promise<boolean> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return false;
  const { deck } = view;
  try {
    await getStudyPort().enqueue("card_standing", deck.componentId, { cards: [change] });
  } catch (error) {
    logWarning("Could not change the status of a card", error);
    notify({ message: t("study.not_changed"), type: "error" });
    return false;
  }
  continueWithout({ ...deck, cards: standCards(deck.cards, [change]) }, removesFromSession ? change.cardId : null);
  return true;
}

function notifyWithUndo(message: string, inverse: CardStatusChange): void {
  const run = () => void changeCardStatus(inverse, { removesFromSession: false });
  notify({ message, type: "success", action: { label: t("common.undo"), run } });
}

/** The card stays in its deck but is not shown again until the student unsuspends it. */
export async function suspendCard(cardId: string): Promise<void> {
  const isDone = await changeCardStatus({ cardId, isSuspended: true }, { removesFromSession: true });
  if (isDone) notifyWithUndo(t("study.suspended"), { cardId, isSuspended: false });
}

/** The card is not shown again before the next study day. */
export async function buryCard(cardId: string): Promise<void> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return;
  const buriedUntil = studyDayOf(getStudyPort().now(), view.allowance).endsAt;
  const isDone = await changeCardStatus({ cardId, buriedUntil }, { removesFromSession: true });
  if (isDone) notifyWithUndo(t("study.buried"), { cardId, buriedUntil: null });
}

/** Stores the hint on the card, so that it stays the same. On failure it is generated again next time. */
export async function saveHint(cardId: string, hint: string): Promise<void> {
  const view = store.get(studyAtom);
  if (view.state !== "ready") return;
  const ai = { hint, hintGeneratedAt: getStudyPort().now() };
  const apply = (cards: readonly Flashcard[]) => cards.map((card) => (card.id === cardId ? { ...card, ai } : card));
  try {
    await editDeck(view.deck, apply);
  } catch (error) {
    logWarning("Could not store a hint", error);
  }
}

/** Replaces the card with the first of `sides`, keeping its history, and adds the others as new cards after it. */
export function rewriteCard(
  cardId: string,
  sides: readonly Pick<Flashcard, "question" | "answer">[],
): Promise<boolean> {
  return changeCard(cardId, (card) =>
    sides.map((side, index) => {
      const { ai: _hintOfTheOldWords, ...first } = card;
      if (index === 0) return { ...first, ...side };
      const { citation, tags } = card;
      return { id: getStudyPort().newId(), ...side, questionImage: null, citation, ...(tags ? { tags } : {}) };
    }),
  );
}
