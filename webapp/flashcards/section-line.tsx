import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import "./section-line.css";

/** The section of the source, as a small line above a card's question; hidden if the section gives the answer away. */
export function SectionLine({ card }: { card: Pick<Flashcard, "question" | "answer" | "citation" | "section"> }) {
  const { section } = splitSectionLine(card);
  return (
    section !== null && (
      <span className="card-section" dir="auto">
        {section}
      </span>
    )
  );
}
