import { formatNumber } from "#shared/messages/translate.ts";
import "./charts.css";

type Cell = string | number;

export interface FigureTableProps {
  caption: string;
  head: readonly string[];
  /** The first cell names the row; where several rows have the same name, the next ones tell them apart. */
  rows: readonly (readonly Cell[])[];
  className?: string;
}

/** Figures in rows and columns; it can be scrolled by keyboard where it is wider than the screen. */
export function FigureTable({ caption, head, rows, className }: FigureTableProps) {
  return (
    <div className="chart-scroll" role="group" aria-label={caption} tabIndex={0}>
      <table className={className}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = "", ...values]) => (
            <tr key={[name, ...values].join(" ")}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={head[index + 1]}>{typeof value === "number" ? formatNumber(value) : value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
