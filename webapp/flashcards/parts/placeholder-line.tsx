import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { t } from "#shared/messages/translate.ts";

import { SectionLine } from "../section-line.tsx";

/** The row of a card during scrolling: its text in the same layout, without fields. */
export function PlaceholderLine({ card, number }: { card: Flashcard; number: number }) {
  return (
    <div className="card-line" data-card={card.id} role="group" aria-label={t("flashcards.card", { number })}>
      <span className="card-line-choose" />
      <span className="card-line-side card-line-resting" dir="auto">
        <SectionLine card={card} />
        {splitSectionLine(card).question}
      </span>
      <span className="card-line-side card-line-resting" dir="auto">
        {card.answer}
      </span>
      <span className="card-line-end">
        <span className="card-line-star icon-button" />
      </span>
    </div>
  );
}
