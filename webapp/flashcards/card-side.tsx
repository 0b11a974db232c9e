import type { Flashcard } from "#shared/flashcards/schema.ts";
import { CardImage, CardText } from "./card-text.tsx";
import { QuestionPicture } from "./question-picture.tsx";

/** One side of a card, with its text and picture, as shown in lists and in study. */
export function CardSide({ card, side }: { card: Flashcard; side: "question" | "answer" }) {
  return (
    <>
      <CardText text={card[side]} />
      {side === "question" ? (
        <QuestionPicture card={card} isRevealed={false} />
      ) : (
        <CardImage address={card.answerImage} />
      )}
    </>
  );
}
