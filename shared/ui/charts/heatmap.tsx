import { memo, useState } from "react";
import { ChartTable } from "./chart-table.tsx";

const CELL = 14;
const LARGE_CELL = 20;
/** Up to this many columns there is space for large cells. */
const FEW_COLUMNS = 27;
const GAP = 3;
/** The side of the squares of the scale. */
const SIDE = CELL - GAP;

const cellSize = (columns: number) => (columns <= FEW_COLUMNS ? LARGE_CELL : CELL);

/** Space above the cells for the names of the columns, and before them for the names of the rows. */
const TOP = 18;
const START = 36;
const LEVELS = [0, 1, 2, 3, 4] as const;

const countOf = (indices: readonly number[]) => Math.max(0, ...indices) + 1;

interface HeatCell {
  key: string;
  column: number;
  row: number;
  name: string;
  value: number;
  /** 0 for none to 4 for the maximum. */
  level: number;
}

interface SquaresProps extends Pick<Props, "label" | "cells" | "columnNames" | "describe"> {
  onPoint: (cell: HeatCell | undefined) => void;
}

interface Props {
  label: string;
  nameHead: string;
  valueHead: string;
  cells: readonly HeatCell[];
  /** Names above some columns, such as months. */
  columnNames: readonly { column: number; name: string }[];
  /** Names before some rows, such as weekdays. */
  rowNames: readonly { row: number; name: string }[];
  /** The ends of the scale of colours. */
  scale: { less: string; more: string };
  /** "Mon, 3 Nov: 12 answers". */
  describe: (cell: HeatCell) => string;
}

/** The squares, which do not change with the pointer. */
const Squares = memo(function Squares({ label, cells, columnNames, describe, onPoint }: SquaresProps) {
  const columns = countOf(cells.map(({ column }) => column));
  const rows = countOf(cells.map(({ row }) => row));
  const size = cellSize(columns);
  return (
    <svg
      width={columns * size}
      height={TOP + rows * size}
      role="list"
      aria-label={label}
      // Lifting a finger is also a leave event, but then the description must stay.
      onPointerLeave={({ pointerType }) => pointerType === "mouse" && onPoint(undefined)}
    >
      {columnNames.map(({ column, name }) => (
        <text key={`${column} ${name}`} x={column * size} y={11} aria-hidden>
          {name}
        </text>
      ))}
      {cells.map((cell) => (
        <rect
          key={cell.key}
          x={cell.column * size}
          y={TOP + cell.row * size}
          width={size - GAP}
          height={size - GAP}
          rx="2"
          className={`chart-heat-${cell.level}`}
          // Screen readers read out only the days with answers.
          {...(cell.value > 0 ? { role: "listitem", "aria-label": describe(cell) } : { "aria-hidden": true })}
          onPointerEnter={() => onPoint(cell)}
        />
      ))}
    </svg>
  );
});

function Scale({ less, more }: Props["scale"]) {
  return (
    <span className="chart-scale-steps">
      <span>{less}</span>
      {LEVELS.map((level) => (
        <svg key={level} width={SIDE} height={SIDE} aria-hidden>
          <rect width={SIDE} height={SIDE} rx="2" className={`chart-heat-${level}`} />
        </svg>
      ))}
      <span>{more}</span>
    </span>
  );
}

/**
 * Squares with a stronger colour for a higher value, such as the days of a year. The square under the pointer is
 * described.
 */
export function Heatmap(props: Props) {
  const { label, nameHead, valueHead, cells, columnNames, rowNames, scale, describe } = props;
  const [pointed, setPointed] = useState<HeatCell>();
  const columns = countOf(cells.map(({ column }) => column));
  const rows = countOf(cells.map(({ row }) => row));
  const size = cellSize(columns);
  return (
    <figure className="chart">
      <div className="chart-heat">
        <svg width={START} height={TOP + rows * size} aria-hidden>
          {rowNames.map(({ row, name }) => (
            <text key={name} x={0} y={TOP + row * size + size / 2 + 3}>
              {name}
            </text>
          ))}
        </svg>
        {/* May be wider than a phone screen; focusable, so that it can be scrolled by keyboard. */}
        <div className="chart-scroll chart-scroll-end" role="group" aria-label={label} tabIndex={0}>
          <Squares {...{ label, cells, columnNames, describe }} onPoint={setPointed} />
        </div>
      </div>
      <figcaption className="chart-scale" style={{ maxWidth: START + columns * size }}>
        <span>{pointed && describe(pointed)}</span>
        <Scale {...scale} />
      </figcaption>
      <ChartTable
        caption={label}
        head={[nameHead, valueHead]}
        rows={cells.flatMap(({ name, value }) => (value > 0 ? [[name, value]] : [])).toReversed()}
      />
    </figure>
  );
}
