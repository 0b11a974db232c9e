import type { Flashcard } from "#shared/flashcards/schema.ts";
import { CardImage, CardText } from "./card-text.tsx";

/** One side of a card as it is shown wherever cards are: its words and the picture that stands with them. */
export function CardSide({ card, side }: { card: Flashcard; side: "question" | "answer" }) {
  return (
    <>
      <CardText text={card[side]} />
      <CardImage address={side === "question" ? card.questionImage : card.answerImage} />
    </>
  );
}
