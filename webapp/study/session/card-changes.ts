import { t } from "#shared/messages/translate.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { applyStatusChanges, type CardStatusChange } from "#shared/flashcards/card-status.ts";
import { studyDayOf } from "#shared/study/today.ts";
import { notify } from "#webapp/app/alerts.ts";
import { editDeck } from "#webapp/flashcards/deck/deck-edit.ts";
import { logWarning } from "#webapp/app/log.ts";
import { getStudyPort } from "../study-port.ts";
import { readActiveStudy, showEvent } from "./apply-event.ts";

type CardChange = (card: Flashcard) => readonly Flashcard[];

type DeckChange = (cards: readonly Flashcard[]) => readonly Flashcard[];

/** Shows the deck being studied with changed cards. Cards that may no longer be studied leave the session. */
function showCards(componentId: string, change: DeckChange): void {
  const deck = readActiveStudy()?.deck;
  if (deck?.componentId === componentId) showEvent({ type: "change_cards", cards: change(deck.cards) });
}

/** Changes one card of the deck being studied. */
async function changeCard(cardId: string, change: CardChange): Promise<boolean> {
  const deck = readActiveStudy()?.deck;
  if (!deck) return false;
  const apply: DeckChange = (cards) => cards.flatMap((card) => (card.id === cardId ? change(card) : card));
  try {
    await editDeck(deck, apply);
  } catch (error) {
    logWarning("Could not change a card", error);
    notify({ message: t("study.not_changed"), type: "error" });
    return false;
  }
  showCards(deck.componentId, apply);
  return true;
}

async function changeCardStatus(componentId: string, change: CardStatusChange): Promise<boolean> {
  try {
    await getStudyPort().enqueue("card_standing", componentId, { cards: [change] });
  } catch (error) {
    logWarning("Could not change the status of a card", error);
    notify({ message: t("study.not_changed"), type: "error" });
    return false;
  }
  showCards(componentId, (cards) => applyStatusChanges(cards, [change]));
  return true;
}

interface StatusChangeWithUndo {
  change: CardStatusChange;
  inverse: CardStatusChange;
  message: string;
}

/** The undo changes the same deck, even if the student studies another deck by then. */
async function changeWithUndo({ change, inverse, message }: StatusChangeWithUndo): Promise<void> {
  const componentId = readActiveStudy()?.deck.componentId;
  if (componentId === undefined || !(await changeCardStatus(componentId, change))) return;
  const run = () => void changeCardStatus(componentId, inverse);
  notify({ message, type: "success", action: { label: t("common.undo"), run } });
}

/** The card stays in its deck but is not shown again until the student unsuspends it. */
export const suspendCard = (cardId: string): Promise<void> =>
  changeWithUndo({
    change: { cardId, isSuspended: true },
    inverse: { cardId, isSuspended: false },
    message: t("study.suspended"),
  });

/** The card is not shown again before the next study day. */
export async function buryCard(cardId: string): Promise<void> {
  const view = readActiveStudy();
  if (!view) return;
  const buriedUntil = studyDayOf(getStudyPort().now(), view.allowance).endsAt;
  await changeWithUndo({
    change: { cardId, buriedUntil },
    inverse: { cardId, buriedUntil: null },
    message: t("study.buried"),
  });
}

/** Stores the hint on the card, so that it stays the same. On failure it is generated again next time. */
export async function saveHint(cardId: string, hint: string): Promise<void> {
  const deck = readActiveStudy()?.deck;
  if (!deck) return;
  const ai = { hint, hintGeneratedAt: getStudyPort().now() };
  const apply = (cards: readonly Flashcard[]) => cards.map((card) => (card.id === cardId ? { ...card, ai } : card));
  try {
    await editDeck(deck, apply);
  } catch (error) {
    logWarning("Could not store a hint", error);
  }
}

/** Gives the card the first of `sides`, keeping its history, and adds the remaining `sides` as new cards after it. */
export function rewriteCard(
  cardId: string,
  sides: readonly Pick<Flashcard, "question" | "answer">[],
): Promise<boolean> {
  // Created once, because the change is applied twice: to the stored deck and to the deck on screen.
  const newCards = sides.map((side) => ({ id: getStudyPort().newId(), ...side, questionImage: null }));
  return changeCard(cardId, (card) => {
    const { ai: _hintOfTheOldWords, ...rewritten } = card;
    const { citation, tags } = card;
    const added = newCards.slice(1).map((newCard) => ({ ...newCard, citation, ...(tags ? { tags } : {}) }));
    return [{ ...rewritten, ...sides[0] }, ...added];
  });
}
