import { useCallback, useState } from "react";
import type { FigureWeek } from "#shared/admin/figures-contract.ts";
import { type DimsFilter, dimensionValues, type MetricName, metrics } from "#shared/admin/quality.ts";
import { t } from "#shared/messages/translate.ts";
import { toCsv } from "#shared/csv.ts";
import { Select } from "#shared/ui/controls/select.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { AdminFrame, LoadError } from "./admin-frame.tsx";
import { ActivitySection } from "./parts/activity-section.tsx";
import { CsvButton } from "./lists/csv-button.tsx";
import { QualityBoard } from "./parts/quality-board.tsx";

const SPANS = ["8", "26", "52"] as const;
type Span = (typeof SPANS)[number];
const ALL = "";

/** `/admin/stats`: quality metrics, activity, cohorts and the funnel of new accounts. */
export function StatsScreen() {
  const [span, setSpan] = useState<Span>("8");
  const [model, setModel] = useState(ALL);
  const [version, setVersion] = useState(ALL);
  const read = useCallback(() => adminClient.getFigures({ weeks: Number(span) }), [span]);
  const { answer, retry } = useAsyncValue(read);
  const weeks = answer.state === "ready" ? answer.value.weeks : [];
  const filter = { model: model || undefined, version: version || undefined };
  return (
    <AdminFrame
      tab="adminStats"
      actions={weeks.length > 0 && <CsvButton name="quality" read={() => writeBoard(weeks, filter)} />}
    >
      <div className="admin-filters">
        <Select
          label={t("figures.span")}
          value={span}
          options={SPANS.map((value) => ({ value, label: t("figures.weeks", { count: Number(value) }) }))}
          onValue={setSpan}
        />
        <DimensionSelect
          label={t("figures.model")}
          values={dimensionValues(weeks, "model")}
          value={model}
          onValue={setModel}
        />
        <DimensionSelect
          label={t("figures.version")}
          values={dimensionValues(weeks, "version")}
          value={version}
          onValue={setVersion}
        />
      </div>
      {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 100, 60]} height={72} />}
      {answer.state === "failed" && <LoadError error={answer.error} onRetry={retry} />}
      {answer.state === "ready" && <Figures weeks={weeks} days={answer.value.days} filter={filter} />}
    </AdminFrame>
  );
}

const metricNames = Object.keys(metrics) as MetricName[];

/** The quality board as CSV: a row for each week, with empty cells for uncounted metrics. */
async function* writeBoard(weeks: readonly FigureWeek[], filter: DimsFilter): AsyncGenerator<string> {
  const now = Date.now();
  yield toCsv([
    ["week", ...metricNames],
    ...weeks.map((week) => [week.week, ...metricNames.map((name) => metrics[name](week, filter, now))]),
  ]);
}

interface DimensionProps {
  label: string;
  values: readonly string[];
  value: string;
  onValue: (value: string) => void;
}

function DimensionSelect({ label, values, value, onValue }: DimensionProps) {
  if (values.length < 2 && value === ALL) return null;
  const options = [ALL, ...values].map((option) => ({
    value: option,
    label: option === ALL ? t("figures.all") : option,
  }));
  return <Select label={label} value={value} options={options} onValue={onValue} />;
}

interface FiguresProps {
  weeks: readonly FigureWeek[];
  days: readonly { day: string; active: number }[];
  filter: DimsFilter;
}

function Figures({ weeks, days, filter }: FiguresProps) {
  if (weeks.length === 0) return <EmptyState title={t("figures.none")}>{t("figures.none_text")}</EmptyState>;
  return (
    <>
      <QualityBoard weeks={weeks} filter={filter} />
      <ActivitySection weeks={weeks} days={days} />
    </>
  );
}
