import type { MouseEvent } from "react";
import { isRich } from "#shared/flashcards/card-text.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { CardImage, CardText } from "../card-text.tsx";
import { QuestionPicture } from "../question-picture.tsx";
import type { CardSideName } from "../card-pictures.ts";
import "./rendered-side.css";

/** What scrolls or plays is above the field: a press on it edits the side, as a press beside it does. */
function focusField({ currentTarget, target }: MouseEvent): void {
  const isSound = target instanceof Element && target.closest("audio") !== null;
  if (!isSound) currentTarget.parentElement?.querySelector("textarea")?.focus();
}

/** Rendered formulas, code and pictures of a side, below its text field. */
export function RenderedSide({ card, side }: { card: Flashcard; side: CardSideName }) {
  const text = side === "question" ? splitSectionLine(card).question : card.answer;
  return (
    <>
      {isRich(text) && (
        // The field under it is edited by keyboard as any other.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <div className="side-shown" dir="auto" onClick={focusField}>
          <CardText text={text} />
        </div>
      )}
      {side === "question" ? <QuestionPicture card={card} isRevealed /> : <CardImage address={card.answerImage} />}
    </>
  );
}
