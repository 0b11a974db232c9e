import type { MouseEvent } from "react";
import { isRich } from "#shared/flashcards/card-text.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { CardImage, CardText } from "../card-text.tsx";
import { QuestionPicture } from "../question-picture.tsx";
import type { CardSideName } from "../card-pictures.ts";
import "./rendered-side.css";

/** The rendered text covers the field, so a click on it focuses the field. A click on the sound player does not. */
function focusField({ currentTarget, target }: MouseEvent): void {
  const isSound = target instanceof Element && target.closest("audio") !== null;
  if (!isSound) currentTarget.parentElement?.querySelector("textarea")?.focus();
}

/** The rendered formulas, code and pictures of a card's side. */
export function RenderedSide({ card, side }: { card: Flashcard; side: CardSideName }) {
  const text = side === "question" ? splitSectionLine(card).question : card.answer;
  return (
    <>
      {isRich(text) && (
        // Keyboard users reach the field itself, so the click needs no key handler.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <div className="side-shown" dir="auto" onClick={focusField}>
          <CardText text={text} />
        </div>
      )}
      {side === "question" ? <QuestionPicture card={card} isRevealed /> : <CardImage address={card.answerImage} />}
    </>
  );
}
