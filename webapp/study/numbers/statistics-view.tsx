import { useAtomValue } from "jotai/react";
import { useCallback, useState } from "react";
import { formatShare } from "#shared/messages/language.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { summariseToday } from "#shared/study/all-due.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { liveStreakDays } from "#shared/user/streak.ts";
import { BarChart } from "#shared/ui/charts/bar-chart.tsx";
import { CalibrationPlot } from "#shared/ui/charts/calibration-plot.tsx";
import { Heatmap } from "#shared/ui/charts/heatmap.tsx";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { dueAtom } from "../due.ts";
import { CountPlans } from "../exam/count-plans.tsx";
import { useTodayOptions } from "../use-today-options.ts";
import { LastDays } from "./last-days.tsx";
import { OnTrack } from "./on-track.tsx";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { streakAtom } from "../home/home-state.ts";
import {
  type Bar,
  fetchStatistics,
  toHeatCells,
  listLastDays,
  monthColumns,
  formatDayName,
  weekdayRows,
  withToday,
  type Statistics,
} from "./statistics.ts";
import "./statistics.css";

const DAYS_SHOWN = 30;
const WEEK_DAYS = 7;

/** Study history, forecast, and the accuracy of the predictions. */
export function StatisticsView() {
  const due = useAtomValue(dueAtom);
  const [componentId, setComponentId] = useState("");
  const load = useCallback(() => fetchStatistics(componentId || undefined), [componentId]);
  const { answer, retry } = useAsyncValue(load);
  useTitle(t("planning.statistics"));
  const decks = due.state === "ready" ? due.decks : [];
  const shown = componentId === "" ? decks : decks.filter((deck) => deck.componentId === componentId);
  const isLoading = answer.state === "loading" || (answer.state === "ready" && due.state === "loading");
  return (
    <div className="numbers">
      <header className="numbers-head">
        <h1>{t("planning.statistics")}</h1>
        {decks.length > 1 && (
          <Select
            label={t("planning.deck")}
            labelHidden
            value={componentId}
            onValue={setComponentId}
            options={[
              { value: "", label: t("planning.all_decks") },
              ...decks.map((deck) => ({ value: deck.componentId, label: deck.title })),
            ]}
          />
        )}
      </header>
      <CountPlans decks={decks} />
      {isLoading && <Skeleton label={t("common.loading")} lines={[60, 100, 80]} height={40} />}
      {answer.state === "failed" && (
        <ErrorState title={t("planning.failed")} action={<Button onClick={retry}>{t("common.retry")}</Button>}>
          {t("planning.failed_text")}
        </ErrorState>
      )}
      {answer.state === "ready" && !isLoading && <StatisticsContent figures={answer.value} decks={shown} />}
    </div>
  );
}

interface ContentProps {
  figures: Statistics;
  /** The decks that the figures are about. */
  decks: readonly DueDeck[];
}

function StatisticsContent({ figures, decks }: ContentProps) {
  const now = useNow();
  const { days } = figures;
  const today = summariseToday(decks, useTodayOptions(), figures.secondsPerReview);
  if (days.length === 0) return <EmptyState title={t("planning.none_yet")}>{t("planning.no_reviews")}</EmptyState>;
  const forecast = withToday(figures.forecast, today);
  const forecastBars = forecast
    .slice(0, DAYS_SHOWN)
    .map((value, daysAhead) => ({ name: formatDayName(now, daysAhead), value }));
  const lastDays = listLastDays(days, now, DAYS_SHOWN);
  return (
    <>
      <OnTrack figures={figures} decks={decks} today={today} />
      <SummaryLines figures={figures} now={now} />
      {lastDays.filter(({ reviews }) => reviews > 0).length >= MIN_POINTS && <LastDays days={lastDays} />}
      {countPoints(forecastBars) >= MIN_POINTS && (
        <section>
          <h2>{t("planning.forecast")}</h2>
          <p className="numbers-note">
            {t("planning.forecast_summary", { today: forecast[0] ?? 0, week: sumOf(forecast.slice(0, WEEK_DAYS)) })}{" "}
            {t("planning.forecast_note")}
          </p>
          <BarChart
            label={t("planning.forecast_description")}
            nameHead={t("planning.day")}
            names={forecastBars.map((bar) => bar.name)}
            series={[{ name: t("planning.cards"), values: forecastBars.map(({ value }) => value) }]}
            formatValue={(count) => t("planning.cards_value", { count })}
          />
        </section>
      )}
      {days.length >= MIN_POINTS && <StudyDays days={days} now={now} />}
      {days.length < MIN_POINTS && <p className="numbers-note">{t("planning.charts_later")}</p>}
      <details className="numbers-details">
        <summary>{t("planning.details")}</summary>
        <Retention figures={figures} />
      </details>
    </>
  );
}

function StudyDays({ days, now }: { days: Statistics["days"]; now: number }) {
  const most = Math.max(...days.map(({ reviews }) => reviews));
  return (
    <section>
      <h2>{t("planning.year")}</h2>
      <p className="numbers-note">{t("planning.year_summary", { count: days.length })}</p>
      <Heatmap
        label={t("planning.year_summary", { count: days.length })}
        nameHead={t("planning.day")}
        valueHead={t("planning.answers")}
        cells={toHeatCells(days, now)}
        columnNames={monthColumns(now)}
        rowNames={weekdayRows(now)}
        scale={{ less: "0", more: t("planning.answer_count", { count: most }) }}
        describe={({ name, value }) => `${name}: ${t("planning.answer_count", { count: value })}`}
      />
    </section>
  );
}

/** A chart with fewer points is not shown, because it would say too little. */
const MIN_POINTS = 5;
const countPoints = (bars: readonly Bar[]) => bars.filter(({ value }) => value > 0).length;
const sumOf = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function SummaryLines({ figures, now }: { figures: Statistics; now: number }) {
  const streak = useAtomValue(streakAtom);
  const week = figures.days.filter(({ ago }) => ago < WEEK_DAYS);
  const count = week.reduce((sum, { reviews }) => sum + reviews, 0);
  const minutes = Math.round(week.reduce((sum, day) => sum + day.minutes, 0));
  const lines: readonly (readonly [string, string])[] = [
    ...(streak
      ? [
          [t("planning.streak"), t("planning.streak_days", { count: liveStreakDays(streak, now) })] as const,
          [t("planning.longest"), t("planning.streak_days", { count: streak.longestStreak })] as const,
        ]
      : []),
    [
      t("planning.week"),
      t(minutes < 1 && count > 0 ? "planning.week_brief" : "planning.week_summary", { count, minutes }),
    ],
    [t("planning.pace"), t("planning.pace_seconds", { seconds: Math.round(figures.secondsPerReview) })],
  ];
  return <Facts lines={lines} />;
}

function Facts({ lines }: { lines: readonly (readonly [string, string])[] }) {
  return (
    <dl className="numbers-lines">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const formatRecall = (share: number) => formatShare(share, { maximumFractionDigits: 1 });

function Retention({ figures: { calibration } }: { figures: Statistics }) {
  const { count, predicted, actual, logLoss, bins } = calibration;
  return (
    <section>
      <h2>{t("planning.retention")}</h2>
      {count === 0 ? (
        <p className="numbers-note">{t("planning.retention_none")}</p>
      ) : (
        <>
          <Facts
            lines={[
              [t("planning.predicted"), formatRecall(predicted)],
              [t("planning.actual"), formatRecall(actual)],
              [t("planning.log_loss"), formatNumber(logLoss, 3)],
              [t("planning.tested"), String(count)],
            ]}
          />
          {bins.length >= MIN_POINTS && <CalibrationPlot bins={bins} />}
          <p className="numbers-note">
            {t("planning.retention_note")} {bins.length >= MIN_POINTS && t("planning.retention_line")}{" "}
            {t("planning.log_loss_note")}
          </p>
        </>
      )}
    </section>
  );
}
