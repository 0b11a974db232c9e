import { t } from "#shared/messages/translate.ts";
import { toCsv } from "#shared/csv.ts";
import { FigureTable, type FigureTableProps } from "./figure-table.tsx";

const toCsvAddress = (lines: Parameters<typeof toCsv>[0]) =>
  `data:text/csv;charset=utf-8,${encodeURIComponent(toCsv(lines))}`;

/** The figures of a chart as a table, with everything that the picture shows. */
export function ChartTable({ caption, head, rows }: Omit<FigureTableProps, "className">) {
  return (
    <details className="chart-table">
      <summary>{t("planning.show_table")}</summary>
      <FigureTable caption={caption} head={head} rows={rows} />
      <a href={toCsvAddress([head, ...rows])} download={`${caption}.csv`}>
        {t("planning.chart_csv")}
      </a>
    </details>
  );
}
