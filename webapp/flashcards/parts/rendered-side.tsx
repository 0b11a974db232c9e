import { isRich } from "#shared/flashcards/card-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { CardImage, CardText } from "../card-text.tsx";
import { QuestionPicture } from "../question-picture.tsx";
import type { CardSideName } from "../card-pictures.ts";
import "./rendered-side.css";

/** Rendered formulas, code and pictures of a side, below its text field. */
export function RenderedSide({ card, side }: { card: Flashcard; side: CardSideName }) {
  return (
    <>
      {isRich(card[side]) && (
        <div className="side-shown" dir="auto">
          <CardText text={card[side]} />
        </div>
      )}
      {side === "question" ? <QuestionPicture card={card} isRevealed /> : <CardImage address={card.answerImage} />}
    </>
  );
}
