import type { Flashcard } from "#shared/flashcards/schema.ts";
import { CardImage, CardText } from "./card-text.tsx";
import { QuestionPicture } from "./question-picture.tsx";

/** One side of a card as it is shown wherever cards are: its words and the picture that stands with them. */
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
