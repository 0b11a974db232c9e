import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { editCard } from "./deck-state.ts";

export type CardFace = "question" | "answer";

const fieldOf = (side: CardFace) => (side === "question" ? "questionImage" : "answerImage");

/** The first picture in pasted or dropped data. */
export const pictureIn = (data: DataTransfer | null): File | undefined =>
  [...(data?.files ?? [])].find((file) => file.type.startsWith("image/"));

/** Adds a picture to one side of a card once it is uploaded; a failure is shown and changes nothing. */
export async function addPicture(cardId: string, side: CardFace, file: File): Promise<void> {
  try {
    const { url } = await client.flashcards.addCardPicture({}, [{ field: "file", name: file.name, file }]);
    editCard(cardId, { [fieldOf(side)]: url });
  } catch (error) {
    const message =
      error instanceof NoAnswer
        ? t("flashcards.picture_offline")
        : (friendlyFailure(error, "upload")?.message ?? t("flashcards.picture_failed"));
    notify({ message, type: "error" });
  }
}

export function removePicture(cardId: string, side: CardFace): void {
  editCard(cardId, { [fieldOf(side)]: null });
}
