import { t } from "#shared/messages/translate.ts";
import { LineChart } from "#shared/ui/charts/line-chart.tsx";
import { formatDelta, formatWeek, type MetricFormat } from "../format-figures.ts";

interface Props {
  title: string;
  note: string;
  weeks: readonly string[];
  /** Null in weeks in which nothing was counted. */
  values: readonly (number | null)[];
  format: MetricFormat;
}

function describeChange(change: number, format: MetricFormat): string {
  const formatted = formatDelta(change, format);
  return formatted === undefined ? t("figures.same_as_last") : t("figures.since_last", { change: formatted });
}

/** One metric by week: its last value, the change since the value before, and a line chart. */
export function MetricCard({ title, note, weeks, values, format }: Props) {
  const known = values.filter((value) => value !== null);
  const [last, previous] = [known.at(-1), known.at(-2)];
  if (last === undefined) return null;
  return (
    <section className="admin-metric">
      <h3>{title}</h3>
      <p className="admin-metric-value">
        <strong>{format.show(last)}</strong>{" "}
        {previous !== undefined && <span className="admin-quiet">{describeChange(last - previous, format)}</span>}
      </p>
      <LineChart
        label={title}
        nameHead={t("figures.week")}
        names={weeks.map(formatWeek)}
        series={[{ name: title, values }]}
        format={format.show}
        formatScale={format.showOnScale}
        ceiling={format.ceiling}
      />
      <p className="admin-quiet">{note}</p>
    </section>
  );
}
