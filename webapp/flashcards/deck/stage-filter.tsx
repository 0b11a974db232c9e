import { t } from "#shared/messages/translate.ts";
import { CARD_STAGES, type CardStage } from "#shared/study/buckets.ts";
import type { DeckStages } from "./use-deck-stages.ts";

interface Props {
  stages: DeckStages;
  /** The stage whose cards are listed; undefined if all are. */
  chosen: CardStage | undefined;
  onChoose: (stage: CardStage | undefined) => void;
}

/** How many cards are in each stage; a press lists only those, another press all cards. */
export function StageFilter({ stages, chosen, onChoose }: Props) {
  return (
    <div className="deck-stages" role="group" aria-label={t("flashcards.stages")}>
      {CARD_STAGES.map((stage) => (
        <button
          key={stage}
          type="button"
          className="deck-stage"
          aria-pressed={stage === chosen}
          disabled={stages[stage].size === 0 && stage !== chosen}
          onClick={() => onChoose(stage === chosen ? undefined : stage)}
        >
          {t(`flashcards.stage_${stage}`)} <span className="deck-stage-count">{stages[stage].size}</span>
        </button>
      ))}
    </div>
  );
}
