import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { decksInSession, type TodaySummary } from "#shared/study/all-due.ts";
import { averagePace, judgeProgress } from "#shared/study/deck/progress.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { DueDeck } from "#shared/study/schema.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { useTodayOptions } from "../use-today-options.ts";
import { formatLongDayName, type Statistics } from "./statistics.ts";

interface Props {
  figures: Statistics;
  decks: readonly DueDeck[];
  /** Today's cards of the decks; undefined until every exam plan is known. */
  today: TodaySummary | undefined;
}

/** When cards come up next, if none is due. */
function NextCards({ learning, forecast }: { learning: number; forecast: readonly number[] }) {
  const now = useNow();
  const ahead = forecast.findIndex((count, day) => day > 0 && count > 0);
  if (learning === 0 && ahead === -1) return null;
  return (
    <p className="numbers-reason">
      {learning > 0
        ? t("planning.track_learning", { count: learning })
        : t("planning.track_next", { count: forecast[ahead] ?? 0, day: formatLongDayName(now, ahead) })}
    </p>
  );
}

/** Shows whether the student keeps up, why, and what to do next. */
export function OnTrack({ today, ...props }: Props) {
  if (!today) return <Skeleton label={t("planning.working")} lines={[30, 70]} height={24} />;
  return <Verdict {...props} today={today} />;
}

function Verdict({ figures: { calibration, days, forecast }, decks, today }: Props & { today: TodaySummary }) {
  const goal = useAtomValue(preferencesAtom).flashcards.desired_retention;
  const due = today.due + today.planned;
  const pace = averagePace(days);
  const { count: tested, actual: recall } = calibration;
  const progress = judgeProgress({ tested, recall, goal, due, pace });
  const answers = days.reduce((sum, { reviews }) => sum + reviews, 0);
  const reasons = [
    progress === "early"
      ? t("planning.sentence_early", { count: answers })
      : t("planning.sentence", { remembered: Math.round(recall * 10) }),
    progress === "early" && due + today.learning + today.fresh === 0 && t("planning.come_back"),
    progress === "behind" && t("planning.track_backlog", { count: due, pace: Math.round(pace) }),
    progress === "forgetting" && t("planning.track_goal", { goal: Math.round(goal * 10) }),
  ];
  return (
    <div className="numbers-track">
      <div>
        <p className="numbers-sentence">{t(`planning.track_${progress}`)}</p>
        <p className="numbers-reason">{reasons.filter(Boolean).join(" ")}</p>
        {due === 0 && <NextCards learning={today.learning} forecast={forecast} />}
      </div>
      {due > 0 && <StudyDue decks={decks} due={due} />}
    </div>
  );
}

function StudyDue({ decks, due }: { decks: readonly DueDeck[]; due: number }) {
  const [first] = decksInSession(decks, useTodayOptions());
  if (!first) return null;
  return (
    <Link
      className="button button-primary button-l"
      to={screenPath("study", { id: first.pageId, flashcard: first.componentId })}
      search={decks.length > 1 ? { all: "" } : { bucket: "due" }}
    >
      {t("planning.study_due", { count: due })}
    </Link>
  );
}
