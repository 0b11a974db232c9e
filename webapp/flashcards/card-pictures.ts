import { NoResponse } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { editCard } from "./deck/deck-state.ts";

export type CardSideName = "question" | "answer";

const imageField = (side: CardSideName) => (side === "question" ? "questionImage" : "answerImage");

/** The first picture in pasted or dropped data. */
export const findImageFile = (data: DataTransfer | null): File | undefined =>
  [...(data?.files ?? [])].find((file) => file.type.startsWith("image/"));

/** Uploads a picture and adds it to one side of a card. A failure shows a notice and leaves the card as it was. */
export async function uploadCardPicture(cardId: string, side: CardSideName, file: File): Promise<void> {
  try {
    const { url } = await client.flashcards.addCardPicture({}, [{ field: "file", name: file.name, file }]);
    editCard(cardId, { [imageField(side)]: url });
  } catch (error) {
    const message =
      error instanceof NoResponse
        ? t("flashcards.picture_offline")
        : (toFailureMessage(error, "upload")?.message ?? t("flashcards.picture_failed"));
    notify({ message, type: "error" });
  }
}

export function removeCardPicture(cardId: string, side: CardSideName): void {
  editCard(cardId, { [imageField(side)]: null });
}
