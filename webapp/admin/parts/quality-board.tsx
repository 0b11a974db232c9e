import type { FigureWeek } from "#shared/admin/figures-contract.ts";
import {
  averageLogLoss,
  binError,
  compareForecasts,
  type DimsFilter,
  type MetricName,
  metrics,
  rejectedByGate,
} from "#shared/admin/quality.ts";
import { PREDICTORS } from "#shared/admin/figures.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { BarChart } from "#shared/ui/charts/bar-chart.tsx";
import { CalibrationPlot } from "#shared/ui/charts/calibration-plot.tsx";
import { LineChart } from "#shared/ui/charts/line-chart.tsx";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import {
  averageFormat,
  formatWeek,
  lossFormat,
  type MetricFormat,
  charsFormat,
  rareShareFormat,
  secondsFormat,
  shareFormat,
} from "../format-figures.ts";
import { gateName } from "../plain-names.ts";
import { FactList } from "./fact-list.tsx";
import { MetricCard } from "./metric-card.tsx";

interface Props {
  weeks: readonly FigureWeek[];
  filter: DimsFilter;
}

const formats: Partial<Record<MetricName, MetricFormat>> = {
  firstCardMs: secondsFormat,
  logLoss: lossFormat,
  leeches: rareShareFormat,
  editDistance: charsFormat,
  siteRepairs: averageFormat,
};
interface MetricArgs {
  week: FigureWeek;
  filter: DimsFilter;
  now: number;
}

const valueOf = (name: MetricName, { week, filter, now }: MetricArgs) => metrics[name](week, filter, now);

const names = Object.keys(metrics) as MetricName[];

/** The quality metrics by week. Metrics that were never counted are only named below the charts. */
export function QualityBoard({ weeks, filter }: Props) {
  const now = useNow();
  const board = names.map((name) => ({ name, values: weeks.map((week) => valueOf(name, { week, filter, now })) }));
  const isCounted = ({ values }: (typeof board)[number]) => values.some((value) => value !== null);
  const uncounted = board.filter((metric) => !isCounted(metric));
  if (uncounted.length === board.length)
    return (
      <section className="admin-section">
        <h2>{t("figures.quality")}</h2>
        <p>{t("figures.quality_none")}</p>
      </section>
    );
  return (
    <section className="admin-section">
      <h2>{t("figures.quality")}</h2>
      <div className="admin-metrics">
        {board.filter(isCounted).map(({ name, values }) => (
          <MetricCard
            key={name}
            title={t(`figures.metric_${name}`)}
            note={t(`figures.note_${name}`)}
            weeks={weeks.map(({ week }) => week)}
            values={values}
            format={formats[name] ?? shareFormat}
          />
        ))}
        <Gates weeks={weeks} filter={filter} />
        <Forecasts weeks={weeks} version={filter.version} />
      </div>
      {uncounted.length > 0 && (
        <p className="admin-quiet">
          {t("figures.uncounted", { names: uncounted.map(({ name }) => t(`figures.metric_${name}`)).join(", ") })}
        </p>
      )}
    </section>
  );
}

const MAX_GATES = 4;

/** How many cards each gate rejected. Only the gates with the most rejections are named. */
function Gates({ weeks, filter }: Props) {
  const counts = weeks.map((week) => rejectedByGate(week, filter));
  const totals = new Map<string, number>();
  for (const week of counts) for (const [gate, count] of week) totals.set(gate, (totals.get(gate) ?? 0) + count);
  if (totals.size === 0) return null;
  const gates = [...totals].toSorted(([, a], [, b]) => b - a).map(([gate]) => gate);
  const rest = new Set(gates.slice(MAX_GATES));
  const series = gates
    .slice(0, MAX_GATES)
    .map((gate) => ({ name: gateName(gate), values: counts.map((week) => week.get(gate) ?? 0) }));
  const sumRest = (week: ReadonlyMap<string, number>) =>
    [...rest].reduce((sum, gate) => sum + (week.get(gate) ?? 0), 0);
  if (rest.size > 0) series.push({ name: t("figures.other"), values: counts.map(sumRest) });
  return (
    <section className="admin-metric">
      <h3>{t("figures.gates")}</h3>
      <BarChart
        hasHeading
        label={t("figures.gates")}
        nameHead={t("figures.week")}
        names={weeks.map(({ week }) => formatWeek(week))}
        series={series}
      />
      <p className="admin-quiet">{t("figures.note_gates")}</p>
    </section>
  );
}

/** Forecasts of reviews and their results, compared with the default weights and with a constant average forecast. */
function Forecasts({ weeks, version }: Pick<Props, "weeks"> & { version: string | undefined }) {
  const { scheduler, defaults } = compareForecasts(weeks, version);
  const { count, actual, logLoss, bins } = scheduler;
  if (count === 0) return null;
  const facts = [
    [t("figures.loss_ours"), formatNumber(logLoss, 3)],
    [t("figures.loss_defaults"), defaults === null ? "–" : formatNumber(defaults.logLoss, 3)],
    [t("figures.loss_average"), formatNumber(averageLogLoss(actual), 3)],
    [t("figures.bin_error"), formatNumber(binError(bins), 3)],
    [t("planning.tested"), formatNumber(count)],
  ] as const;
  return (
    <section className="admin-metric admin-metric-wide">
      <h3>{t("figures.forecasts")}</h3>
      <FactList facts={facts} />
      <div className="admin-metric-charts">
        {defaults !== null && <LossLines weeks={weeks} version={version} />}
        <CalibrationPlot
          bins={bins}
          compared={
            defaults === null
              ? undefined
              : { name: t("figures.scheduler"), other: { name: t("figures.defaults"), bins: defaults.bins } }
          }
        />
      </div>
      <p className="admin-quiet">{t("figures.note_forecasts")}</p>
    </section>
  );
}

function LossLines({ weeks, version }: Pick<Props, "weeks"> & { version: string | undefined }) {
  const compared = weeks.map((week) => compareForecasts([week], version));
  return (
    <LineChart
      label={t("figures.loss_weeks")}
      nameHead={t("figures.week")}
      names={weeks.map(({ week }) => formatWeek(week))}
      series={PREDICTORS.map((predictor) => ({
        name: t(`figures.${predictor}`),
        values: compared.map((comparison) =>
          comparison.defaults === null ? null : (comparison[predictor]?.logLoss ?? null),
        ),
      }))}
      format={lossFormat.show}
    />
  );
}
