import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { CardImage } from "./card-text.tsx";
import "./question-picture.css";

const percent = (share: number) => `${share * 100}%`;

/** The picture of a question; of one with hidden regions, what is asked for stays covered until it is revealed. */
export function QuestionPicture({ card, isRevealed }: { card: Flashcard; isRevealed: boolean }) {
  const { occlusion, questionImage } = card;
  if (!occlusion) return <CardImage address={questionImage} />;
  const { regions, regionId, hidesAll } = occlusion;
  const covered = regions.filter(({ id }) => id === regionId || hidesAll === true);
  return (
    <span className="hidden-picture">
      <CardImage address={questionImage} />
      {covered.map(({ id, x, y, w, h }) => {
        const isAsked = id === regionId;
        const place = { left: percent(x), top: percent(y), width: percent(w), height: percent(h) };
        const state = isAsked ? (isRevealed ? "shown" : "asked") : "other";
        return (
          <span key={id} className="hidden-part" data-state={state} style={place}>
            {state === "asked" && <span aria-label={t("flashcards.hidden_here")}>?</span>}
          </span>
        );
      })}
    </span>
  );
}
