import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useCallback } from "react";
import { t } from "#shared/messages/translate.ts";
import { summariseToday } from "#shared/study/all-due.ts";
import { USUAL_SECONDS } from "#shared/study/day.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { dueAtom } from "../due.ts";
import { useTodayOptions } from "../use-today-options.ts";
import { fetchStatistics, formatWeekday, withToday } from "../numbers/statistics.ts";
import { DueToday } from "../parts/due-today.tsx";
import { StreakLine } from "../parts/streak-line.tsx";
import "./today.css";

const HomePlans = lazy(async () => ({ default: (await import("../exam/home-plans.tsx")).ExamPlans }));

const WEEK_DAYS = 7;

/** One block for today: cards due now and on the coming days, with exams and the streak beside them. */
export function Today() {
  const due = useAtomValue(dueAtom);
  const load = useCallback(() => fetchStatistics(undefined), []);
  const { answer } = useAsyncValue(load);
  const statistics = answer.state === "ready" ? answer.value : undefined;
  const options = useTodayOptions();
  const today = due.state === "ready" ? summariseToday(due.decks, options, USUAL_SECONDS) : undefined;
  const hasDecks = due.state === "ready" && due.decks.length > 0;
  return (
    <section className="today" aria-label={t("home.due_title")}>
      <div className="today-main">
        <DueToday secondsPerReview={statistics?.secondsPerReview} forecast={statistics?.forecast ?? []} />
        <Week forecast={withToday(statistics?.forecast ?? [], today)} />
      </div>
      <div className="today-side">
        {hasDecks && (
          <div className="today-part">
            <Suspense>
              <HomePlans />
            </Suspense>
          </div>
        )}
        <div className="today-part today-streak">
          <StreakLine />
          <Link to="/home" search={{ show: "statistics" }}>
            {t("home.statistics")}
          </Link>
        </div>
      </div>
    </section>
  );
}

/** The cards due on each of seven days from today; hidden if no cards are due. */
function Week({ forecast }: { forecast: readonly number[] }) {
  const now = useNow();
  const days = forecast.slice(0, WEEK_DAYS);
  const total = days.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const most = Math.max(...days);
  return (
    <div className="today-week">
      <h3 className="today-part-name">
        {t("home.week")} <span>{t("home.week_cards", { count: total })}</span>
      </h3>
      <ol role="list" className="week">
        {days.map((count, ahead) => {
          const name = ahead === 0 ? t("home.week_today") : formatWeekday(now, ahead);
          return (
            <li key={name} className="week-day" data-today={ahead === 0}>
              <span className="week-count">{count}</span>
              <span className="week-bar" style={{ height: `${Math.round((count / most) * 44)}px` }} />
              <span className="week-name">{name}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
