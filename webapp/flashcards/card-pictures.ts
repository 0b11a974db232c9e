import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { editDeck } from "./deck/deck-edit.ts";
import { deckAtom, editCard } from "./deck/deck-state.ts";

export type CardSideName = "question" | "answer";

const imageField = (side: CardSideName) => (side === "question" ? "questionImage" : "answerImage");

/** The first picture in pasted or dropped data. */
export const findImageFile = (data: DataTransfer | null): File | undefined =>
  [...(data?.files ?? [])].find((file) => file.type.startsWith("image/"));

/**
 * Uploads a picture and adds it to one side of a card of the open deck, even if the deck is left in the meantime. A
 * failure shows a notice and leaves the card as it was.
 */
export async function uploadCardPicture(cardId: string, side: CardSideName, file: File): Promise<void> {
  const [deck, accountId] = [store.get(deckAtom), store.get(accountIdAtom)];
  if (deck.state !== "ready") return;
  try {
    const { url } = await client.flashcards.addCardPicture({}, [{ field: "file", name: file.name, file }]);
    if (store.get(accountIdAtom) !== accountId) return;
    const change = { [imageField(side)]: url };
    const open = store.get(deckAtom);
    if (open.state === "ready" && open.componentId === deck.componentId) editCard(cardId, change);
    else await editDeck(deck, (cards) => cards.map((card) => (card.id === cardId ? { ...card, ...change } : card)));
  } catch (error) {
    const message =
      error instanceof NoResponseError
        ? t("flashcards.picture_offline")
        : (toFailureMessage(error, "upload")?.message ?? t("flashcards.picture_failed"));
    notify({ message, type: "error" });
  }
}

export function removeCardPicture(cardId: string, side: CardSideName): void {
  editCard(cardId, { [imageField(side)]: null });
}
