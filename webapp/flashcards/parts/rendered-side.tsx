import { isRich } from "#shared/flashcards/card-text.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { CardImage, CardText } from "../card-text.tsx";
import { QuestionPicture } from "../question-picture.tsx";
import type { CardSideName } from "../card-pictures.ts";
import "./rendered-side.css";

/** Rendered formulas, code and pictures of a side, below its text field. */
export function RenderedSide({ card, side }: { card: Flashcard; side: CardSideName }) {
  const text = side === "question" ? splitSectionLine(card).question : card.answer;
  return (
    <>
      {isRich(text) && (
        <div className="side-shown" dir="auto">
          <CardText text={text} />
        </div>
      )}
      {side === "question" ? <QuestionPicture card={card} isRevealed /> : <CardImage address={card.answerImage} />}
    </>
  );
}
