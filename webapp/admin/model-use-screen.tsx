import { useCallback, useState } from "react";
import type { ModelUse, UseFilter } from "#shared/admin/figures-contract.ts";
import { sumsOf, dimensionValues } from "#shared/admin/quality.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { BarChart } from "#shared/ui/charts/bar-chart.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { AdminFrame, LoadError, useDebounced } from "./admin-frame.tsx";
import { formatDollars, formatSeconds, formatWeek } from "./format-figures.ts";
import { FEATURES, featureName } from "./plain-names.ts";
import { CsvButton } from "./lists/csv-button.tsx";
import { PagedTable } from "./lists/paged-table.tsx";
import type { Column } from "./lists/stacked-table.tsx";

const noFilter: UseFilter = { account: "", model: "", feature: "", fileId: "" };
const fields = [
  ["model", "figures.model"],
  ["account", "figures.filter_account"],
  ["fileId", "figures.filter_file"],
] as const;

/** `/admin/llm/file_user`: calls to model servers by model, feature, account and file. */
export function ModelUseScreen() {
  const [filter, setFilter] = useState(noFilter);
  const debouncedFilter = useDebounced(JSON.stringify(filter));
  const changeFilter = (changes: Partial<UseFilter>) => setFilter((current) => ({ ...current, ...changes }));
  return (
    <AdminFrame
      tab="adminFileUser"
      actions={<CsvButton name="model-use" read={() => adminClient.exportModelUse(filter)} />}
    >
      <p className="admin-quiet">{t("figures.use_privacy")}</p>
      <UseCharts />
      <div className="admin-filters">
        <Select
          label={t("figures.feature")}
          value={filter.feature}
          options={["", ...FEATURES, "other"].map((value) => ({
            value,
            label: value === "" ? t("figures.all") : featureName(value),
          }))}
          onValue={(feature) => setFilter({ ...filter, feature })}
        />
        {fields.map(([name, label]) => (
          <TextField
            key={name}
            label={t(label)}
            type="search"
            value={filter[name]}
            onChange={(event) => setFilter({ ...filter, [name]: event.target.value.trim() })}
          />
        ))}
      </div>
      <UseTable debouncedFilter={debouncedFilter} onFilter={changeFilter} />
    </AdminFrame>
  );
}

const CHART_WEEKS = 8;
const MAX_SERIES = 4;
const readWeeks = async () => (await adminClient.getFigures({ weeks: CHART_WEEKS })).weeks;

function UseCharts() {
  const { answer, retry } = useAsyncValue(readWeeks);
  if (answer.state === "loading") return null;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={retry} />;
  const weeks = answer.value.filter(({ figures }) => figures.calls !== undefined);
  if (weeks.length === 0) return null;
  const models = dimensionValues(
    weeks.map(({ week, figures }) => ({ week, figures: figures.calls ? { calls: figures.calls } : {} })),
    "model",
  );
  const cost = weeks.reduce((sum, week) => sum + (sumsOf(week, "calls")["microDollars"] ?? 0), 0);
  return (
    <section className="admin-metric">
      <h2>{t("figures.calls_by_model")}</h2>
      <BarChart
        hasHeading
        label={t("figures.calls_by_model")}
        nameHead={t("figures.week")}
        names={weeks.map(({ week }) => formatWeek(week))}
        series={models.slice(0, MAX_SERIES).map((model) => ({
          name: model,
          values: weeks.map((week) => sumsOf(week, "calls", { model })["calls"] ?? 0),
        }))}
      />
      <p className="admin-quiet">
        {cost === 0 ? t("figures.no_price") : `${t("figures.cost")}: ${formatDollars(cost)}`}
      </p>
    </section>
  );
}

const formatMs = (ms: number | null) => (ms === null ? "–" : formatSeconds(ms));

/** Only the end of an id is shown, because that is where ids differ. */
const SHOWN_ID_LENGTH = 8;

const IdFilter = ({ id, onChoose }: { id: string; onChoose: () => void }) => (
  <button type="button" className="admin-link" title={t("figures.filter_by", { id })} onClick={onChoose}>
    <code>{id.slice(-SHOWN_ID_LENGTH)}</code>
  </button>
);

const columnsOf = (onFilter: (changes: Partial<UseFilter>) => void): Column<ModelUse>[] => [
  { title: t("figures.day"), cell: ({ day }) => day },
  { title: t("figures.model"), cell: ({ model }) => model },
  { title: t("figures.feature"), cell: ({ feature }) => featureName(feature) },
  {
    title: t("figures.account"),
    cell: ({ accountId }) =>
      accountId === "" ? (
        t("figures.server")
      ) : (
        <IdFilter id={accountId} onChoose={() => onFilter({ account: accountId })} />
      ),
  },
  {
    title: t("figures.file"),
    cell: ({ fileId }) => (fileId === "" ? "–" : <IdFilter id={fileId} onChoose={() => onFilter({ fileId })} />),
  },
  { title: t("figures.calls"), isNumber: true, cell: ({ calls }) => formatNumber(calls) },
  { title: t("figures.failed"), isNumber: true, cell: ({ failed }) => formatNumber(failed) },
  { title: t("figures.tokens_in"), isNumber: true, cell: ({ tokensIn }) => formatNumber(tokensIn) },
  { title: t("figures.tokens_out"), isNumber: true, cell: ({ tokensOut }) => formatNumber(tokensOut) },
  { title: t("figures.cost"), isNumber: true, cell: ({ microDollars }) => formatDollars(microDollars) },
  { title: t("figures.p50"), isNumber: true, cell: ({ p50Ms }) => formatMs(p50Ms) },
  { title: t("figures.p95"), isNumber: true, cell: ({ p95Ms }) => formatMs(p95Ms) },
];

interface TableProps {
  debouncedFilter: string;
  onFilter: (changes: Partial<UseFilter>) => void;
}

function UseTable({ debouncedFilter, onFilter }: TableProps) {
  const read = useCallback(
    async (after: string | undefined) => {
      const filter = JSON.parse(debouncedFilter) as UseFilter;
      const { uses, next } = await adminClient.listModelUse({ ...filter, ...(after !== undefined && { after }) });
      return { items: uses, next };
    },
    [debouncedFilter],
  );
  const empty = { title: t("figures.use_none"), text: t("figures.use_none_text") };
  return <PagedTable label={t("figures.use_list")} columns={columnsOf(onFilter)} read={read} empty={empty} />;
}
