import { t } from "#shared/messages/translate.ts";
import { toCsv } from "./to-csv.ts";
import "./charts.css";

type Cell = string | number;

interface Props {
  caption: string;
  head: readonly string[];
  /** The first cell names the row. */
  rows: readonly (readonly Cell[])[];
}

const toCsvAddress = (lines: readonly (readonly Cell[])[]) =>
  `data:text/csv;charset=utf-8,${encodeURIComponent(toCsv(lines))}`;

/** The figures of a chart as a table, which says everything that the picture shows. */
export function ChartTable({ caption, head, rows }: Props) {
  return (
    <details className="chart-table">
      <summary>{t("planning.show_table")}</summary>
      <div className="chart-scroll" role="group" aria-label={caption} tabIndex={0}>
        <table>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {head.map((word) => (
                <th key={word} scope="col">
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name = "", ...values]) => (
              <tr key={[name, ...values].join(" ")}>
                <th scope="row">{name}</th>
                {values.map((value, index) => (
                  <td key={head[index + 1]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <a href={toCsvAddress([head, ...rows])} download={`${caption}.csv`}>
        {t("planning.chart_csv")}
      </a>
    </details>
  );
}
