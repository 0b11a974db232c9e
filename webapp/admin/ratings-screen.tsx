import { useCallback, useMemo, useState } from "react";
import type { AdminRating, FigureWeek } from "#shared/admin/figures-contract.ts";
import { metrics, ratingsByGroup, sumsOf } from "#shared/admin/quality.ts";
import { RATED_KINDS } from "#shared/feedback/contract.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { FigureTable } from "#shared/ui/charts/figure-table.tsx";
import { BarChart } from "#shared/ui/charts/bar-chart.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { AdminFrame, LoadError, useDebounced } from "./admin-frame.tsx";
import { formatWeek, shareFormat } from "./format-figures.ts";
import { CsvButton } from "./lists/csv-button.tsx";
import { MetricCard } from "./parts/metric-card.tsx";
import { PagedTable } from "./lists/paged-table.tsx";
import type { Column } from "./lists/stacked-table.tsx";
import { type Thumb, ThumbFilter } from "./parts/thumb-filter.tsx";

const KINDS = ["all", "answer", "card", "completion"] as const;
interface Chosen {
  kind: (typeof KINDS)[number];
  thumb: Thumb;
  model: string;
}

const toFilter = ({ kind, thumb, model }: Chosen) => ({
  model,
  ...(kind !== "all" && { kind }),
  ...(thumb !== "all" && { value: thumb }),
});

/** `/admin/completion_feedback`: thumbs on answers, cards and completions, and how many completions are accepted. */
export function RatingsScreen() {
  const [chosen, setChosen] = useState<Chosen>({ kind: "all", thumb: "all", model: "" });
  return (
    <AdminFrame
      tab="adminCompletion"
      actions={<CsvButton name="thumbs" read={() => adminClient.exportRatings(toFilter(chosen))} />}
    >
      <WeekCharts />
      <div className="admin-filters">
        <Select
          label={t("figures.kind")}
          value={chosen.kind}
          options={KINDS.map((value) => ({ value, label: t(`figures.kind_${value}`) }))}
          onValue={(kind) => setChosen({ ...chosen, kind })}
        />
        <ThumbFilter value={chosen.thumb} onValue={(thumb) => setChosen({ ...chosen, thumb })} />
        <TextField
          label={t("figures.model")}
          type="search"
          value={chosen.model}
          onChange={(event) => setChosen({ ...chosen, model: event.target.value.trim() })}
        />
      </div>
      <RatingTable {...chosen} model={useDebounced(chosen.model)} />
    </AdminFrame>
  );
}

const CHART_WEEKS = 8;
const readWeeks = async () => (await adminClient.getFigures({ weeks: CHART_WEEKS })).weeks;

function WeekCharts() {
  const { answer, retry } = useAsyncValue(readWeeks);
  if (answer.state === "loading") return null;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={retry} />;
  if (answer.value.every(({ figures }) => figures.ratings === undefined && figures.completions === undefined))
    return null;
  return (
    <section className="admin-section">
      <h2>{t("figures.by_week")}</h2>
      <div className="admin-metrics">
        <Thumbs weeks={answer.value.filter(({ figures }) => figures.ratings !== undefined)} />
        <MetricCard
          title={t("figures.metric_completionsTaken")}
          note={t("figures.note_completionsTaken")}
          weeks={answer.value.map(({ week }) => week)}
          values={answer.value.map((week) => metrics.completionsTaken(week, {}))}
          format={shareFormat}
        />
      </div>
      <RatingGroups weeks={answer.value} />
    </section>
  );
}

function Thumbs({ weeks }: { weeks: readonly FigureWeek[] }) {
  if (weeks.length === 0) return null;
  const valuesFor = (name: "up" | "down") => weeks.map((week) => sumsOf(week, "ratings")[name] ?? 0);
  return (
    <section className="admin-metric">
      <h3>{t("figures.thumbs_by_week")}</h3>
      <BarChart
        hasHeading
        label={t("figures.thumbs_by_week")}
        nameHead={t("figures.week")}
        names={weeks.map(({ week }) => formatWeek(week))}
        series={(["up", "down"] as const).map((name) => ({
          name: t(`figures.thumb_${name}`),
          values: valuesFor(name),
        }))}
      />
    </section>
  );
}

const columnsOf = (now: number): Column<AdminRating>[] => [
  { title: t("figures.kind"), cell: (rating) => t(`figures.kind_${rating.kind}`) },
  { title: t("figures.thumb"), cell: ({ value }) => t(`figures.thumb_${value}`) },
  { title: t("figures.reason"), cell: ({ reason }) => <span className="admin-words">{reason || "–"}</span> },
  {
    title: t("figures.shared_text"),
    cell: ({ text }) => <span className="admin-words">{text || t("figures.not_shared")}</span>,
  },
  { title: t("figures.model"), cell: ({ model }) => model },
  { title: t("figures.version"), cell: ({ version }) => version },
  { title: t("figures.when"), cell: ({ createdAt }) => formatRelativeDate(createdAt, now) },
];

function RatingTable({ kind, thumb, model }: Chosen) {
  const now = useNow();
  const read = useCallback(
    async (after: string | undefined) => {
      const filter = toFilter({ kind, thumb, model });
      const { ratings, next } = await adminClient.listRatings({ ...filter, ...(after !== undefined && { after }) });
      return { items: ratings, next };
    },
    [kind, thumb, model],
  );
  const columns = useMemo(() => columnsOf(now), [now]);
  const empty = { title: t("figures.ratings_none"), text: t("figures.ratings_none_text") };
  return <PagedTable label={t("figures.ratings_list")} columns={columns} read={read} empty={empty} />;
}

const kindName = (kind: string) => {
  const known = RATED_KINDS.find((name) => name === kind);
  return known ? t(`figures.kind_${known}`) : kind;
};

/** Thumbs by rated kind, model and version, to compare models and versions. */
function RatingGroups({ weeks }: { weeks: readonly FigureWeek[] }) {
  const groups = ratingsByGroup(weeks);
  if (groups.length === 0) return null;
  return (
    <FigureTable
      className="admin-table admin-numbers"
      caption={t("figures.thumbs_by_group")}
      head={[
        t("figures.kind"),
        t("figures.model"),
        t("figures.version"),
        t("figures.thumb_up"),
        t("figures.thumb_down"),
        t("figures.metric_thumbsUp"),
      ]}
      rows={groups.map(({ kind, model, version, up, down }) => [
        kindName(kind),
        model,
        version,
        formatNumber(up),
        formatNumber(down),
        shareFormat.show(up / (up + down)),
      ])}
    />
  );
}
