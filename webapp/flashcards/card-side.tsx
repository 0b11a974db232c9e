import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { CardImage, CardText } from "./card-text.tsx";
import { QuestionPicture } from "./question-picture.tsx";

/** One side of a card, with its text and picture, as shown in study; `SectionLine` names the section. */
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
