import { formatNumber } from "#shared/messages/translate.ts";
import "./charts.css";

type Cell = string | number;

export interface FigureTableProps {
  caption: string;
  head: readonly string[];
  /** The first cell names the row; rows with the same name differ in their other cells. */
  rows: readonly (readonly Cell[])[];
  className?: string;
}

/** Figures in rows and columns; a table that is wider than the screen can be scrolled by keyboard. */
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
