import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { t } from "#shared/messages/translate.ts";
import type { CardStage } from "#shared/study/buckets.ts";
import { summariseRecall } from "#shared/study/deck/recall.ts";
import { isLearning } from "#shared/study/rules.ts";
import { CardText } from "../card-text.tsx";
import type { OpenDeck } from "./deck-state.ts";
import type { DeckStages } from "./use-deck-stages.ts";
import "./deck-progress.css";

/** The order of the stages in the bar: from known cards to new ones. */
const BAR_STAGES = ["known", "due", "learning", "new"] as const satisfies readonly CardStage[];

const describeRecall = (ofTen: number): string =>
  ofTen === 10 ? t("flashcards.recall_all") : t("flashcards.recall", { remembered: ofTen });

/** How well the deck is known: a sentence, the hardest card, and a bar whose legend is the filters below it. */
export function DeckProgress({ deck, stages }: { deck: OpenDeck; stages: DeckStages }) {
  const { byStage, stageOf, schedules, day, params } = stages;
  const answered = useMemo(() => [...stageOf.keys()].flatMap((id) => schedules.get(id) ?? []), [stageOf, schedules]);
  const recall = useMemo(() => summariseRecall(answered, day, params), [answered, day, params]);
  const hardest = deck.cards.find(({ id }) => id === recall?.hardestId);
  const total = stageOf.size;
  if (total === 0) return null;
  const learned = answered.filter((schedule) => !isLearning(schedule)).length;
  return (
    <section className="deck-progress" aria-label={t("flashcards.progress")}>
      <div className="deck-progress-head">
        <p className="deck-progress-recall">
          {recall ? describeRecall(recall.ofTen) : t("flashcards.learned", { count: learned, total })}
        </p>
        <Link to="/home" search={{ show: "statistics" }}>
          {t("flashcards.statistics")}
        </Link>
      </div>
      {hardest && (
        <div className="deck-progress-hardest">
          <span>{t("flashcards.hardest")}</span> <CardText text={splitSectionLine(hardest).question} />
        </div>
      )}
      <div className="deck-progress-bar" aria-hidden>
        {BAR_STAGES.map((stage) => (
          <span key={stage} data-stage={stage} style={{ flexGrow: byStage[stage].size }} />
        ))}
      </div>
    </section>
  );
}
