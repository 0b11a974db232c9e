import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { CardImage, CardText } from "./card-text.tsx";
import { QuestionPicture } from "./question-picture.tsx";

/**
 * The text and picture of one side of a card, as shown in study. The section is not included: `SectionLine` shows it.
 */
export function CardSide({ card, side }: { card: Flashcard; side: "question" | "answer" }) {
  return (
    <>
      <CardText text={side === "question" ? splitSectionLine(card).question : card.answer} />
      {side === "question" ? (
        <QuestionPicture card={card} isRevealed={false} />
      ) : (
        <CardImage address={card.answerImage} />
      )}
    </>
  );
}
