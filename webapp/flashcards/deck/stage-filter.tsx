import { t } from "#shared/messages/translate.ts";
import { CARD_STAGES, type CardStage } from "#shared/study/buckets.ts";

export type CardFilter = "all" | "duplicates" | "starred" | CardStage;

interface Props {
  /** How many cards each filter shows; a count is missing until it is known. */
  counts: Readonly<Partial<Record<CardFilter, number>>>;
  chosen: CardFilter;
  onChoose: (filter: CardFilter) => void;
}

/** The number of cards in each stage. A press lists only those cards, and a second press lists all cards again. */
export function StageFilter({ counts, chosen, onChoose }: Props) {
  return (
    <div className="deck-stages" role="group" aria-label={t("flashcards.stages")}>
      {(["all", ...CARD_STAGES, "starred"] as const).map((filter) => {
        const count = counts[filter];
        // A stage without cards has no button.
        if (count === undefined || (count === 0 && filter !== chosen && filter !== "all")) return null;
        return (
          <button
            key={filter}
            type="button"
            className="deck-stage"
            aria-pressed={filter === chosen}
            onClick={() => onChoose(filter === chosen ? "all" : filter)}
          >
            {filter !== "all" && filter !== "starred" && <span className="deck-stage-dot" data-stage={filter} />}
            {t(`flashcards.stage_${filter}`)} <span className="deck-stage-count">{count}</span>
          </button>
        );
      })}
    </div>
  );
}
