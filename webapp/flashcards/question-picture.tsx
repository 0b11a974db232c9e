import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { HiddenPicture } from "#shared/ui/content/occlusion-picture.tsx";
import { CardImage } from "./card-text.tsx";

/** The picture of a question. With image occlusion, the region in question stays covered until revealed. */
export function QuestionPicture({ card, isRevealed }: { card: Flashcard; isRevealed: boolean }) {
  const { occlusion, questionImage } = card;
  const image = <CardImage address={questionImage} />;
  if (!occlusion) return image;
  return (
    <HiddenPicture occlusion={occlusion} isRevealed={isRevealed} targetLabel={t("flashcards.hidden_here")}>
      {image}
    </HiddenPicture>
  );
}
