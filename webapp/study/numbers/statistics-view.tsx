import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useCallback, useState } from "react";
import { formatShare } from "#shared/messages/language.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { decksInSession, summariseToday } from "#shared/study/all-due.ts";
import type { DueDeck } from "#shared/study/schema.ts";
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
import { DeckRows } from "./deck-rows.tsx";
import { DayFacts, Facts, MainFacts } from "./facts.tsx";
import { LastDays } from "./last-days.tsx";
import { OnTrack } from "./on-track.tsx";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import {
  fetchStatistics,
  toHeatCells,
  listLastDays,
  monthColumns,
  formatDayName,
  weekdayRows,
  weeksToShow,
  YEAR_WEEKS,
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

/** Leads to the first cards to study, or to where cards are made. */
function NoStatistics({ decks }: { decks: readonly DueDeck[] }) {
  const [first] = decksInSession(decks, useTodayOptions());
  const action = first ? (
    <Link
      className="button button-primary"
      to={screenPath("study", { id: first.pageId, flashcard: first.componentId })}
      search={{ all: "" }}
    >
      {t("planning.study_first")}
    </Link>
  ) : (
    <Link className="button button-primary" to={screenPath("home", {})}>
      {t("planning.make_first")}
    </Link>
  );
  return (
    <EmptyState title={t("planning.none_yet")} action={action}>
      {t("planning.no_reviews")}
    </EmptyState>
  );
}

function StatisticsContent({ figures, decks }: ContentProps) {
  const now = useNow();
  const { days } = figures;
  const today = summariseToday(decks, useTodayOptions(), figures.secondsPerReview);
  if (days.length === 0) return <NoStatistics decks={decks} />;
  const lastDays = listLastDays(days, now, DAYS_SHOWN);
  return (
    <>
      <OnTrack figures={figures} decks={decks} today={today} />
      <MainFacts figures={figures} now={now} />
      <div className="numbers-charts">
        {lastDays.filter(({ reviews }) => reviews > 0).length >= MIN_POINTS && <LastDays days={lastDays} />}
        <Forecast forecast={withToday(figures.forecast, today)} later={today?.learning ?? 0} now={now} />
      </div>
      {decks.length > 1 && <DeckRows decks={decks} />}
      {days.length >= MIN_POINTS && <StudyDays days={days} now={now} />}
      {days.length < MIN_POINTS && <p className="numbers-note">{t("planning.charts_later")}</p>}
      <details className="numbers-details">
        <summary>{t("planning.details")}</summary>
        <Retention figures={figures} />
      </details>
    </>
  );
}

interface ForecastProps {
  /** Cards of each day, today first. */
  forecast: readonly number[];
  /** How many of today's cards come back later today. */
  later: number;
  now: number;
}

function Forecast({ forecast, later, now }: ForecastProps) {
  const values = forecast.slice(0, DAYS_SHOWN);
  if (values.filter((value) => value > 0).length < MIN_POINTS) return null;
  const [first = 0] = forecast;
  const week = sumOf(forecast.slice(0, WEEK_DAYS));
  return (
    <section>
      <h2>{t("planning.forecast")}</h2>
      <p className="numbers-note">
        {later > 0
          ? t("planning.forecast_later", { due: first - later, later, week })
          : t("planning.forecast_summary", { today: first, week })}{" "}
        {t("planning.forecast_note")}
      </p>
      <BarChart
        hasHeading
        label={t("planning.forecast_description")}
        nameHead={t("planning.day")}
        names={values.map((_, daysAhead) =>
          daysAhead === 0 ? t("planning.day_today") : formatDayName(now, daysAhead),
        )}
        series={[{ name: t("planning.cards"), values }]}
        emphasised={0}
        formatValue={(count) => t("planning.cards_value", { count })}
      />
    </section>
  );
}

function StudyDays({ days, now }: { days: Statistics["days"]; now: number }) {
  const most = Math.max(...days.map(({ reviews }) => reviews));
  const weeks = weeksToShow(days);
  return (
    <section>
      <h2>{t(weeks === YEAR_WEEKS ? "planning.year" : "planning.half_year")}</h2>
      <div className="numbers-days">
        <Heatmap
          label={t("planning.year_summary", { count: days.length })}
          nameHead={t("planning.day")}
          valueHead={t("planning.answers")}
          cells={toHeatCells(days, now, weeks)}
          columnNames={monthColumns(now, weeks)}
          rowNames={weekdayRows(now)}
          scale={{ less: "0", more: t("planning.answer_count", { count: most }) }}
          describe={({ name, value }) => `${name}: ${t("planning.answer_count", { count: value })}`}
        />
        {weeks !== YEAR_WEEKS && <DayFacts days={days} now={now} />}
      </div>
    </section>
  );
}

/** A chart with fewer points is not shown, because it would say too little. */
const MIN_POINTS = 5;
const sumOf = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

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
            facts={[
              { name: t("planning.predicted"), value: formatRecall(predicted) },
              { name: t("planning.actual"), value: formatRecall(actual) },
              { name: t("planning.log_loss"), value: formatNumber(logLoss, 3) },
              { name: t("planning.tested"), value: String(count) },
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
