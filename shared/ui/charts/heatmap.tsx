import { ChartTable } from "./chart-table.tsx";

const CELL = 12;

interface HeatCell {
  key: string;
  column: number;
  row: number;
  name: string;
  value: number;
  /** 0 for none to 4 for the maximum. */
  level: number;
}

interface Props {
  label: string;
  nameHead: string;
  valueHead: string;
  cells: readonly HeatCell[];
}

/** Small squares, darker for more, such as the days of a year by weeks. */
export function Heatmap({ label, nameHead, valueHead, cells }: Props) {
  const columns = Math.max(0, ...cells.map(({ column }) => column)) + 1;
  const rows = Math.max(0, ...cells.map(({ row }) => row)) + 1;
  return (
    <figure className="chart">
      {/* May be wider than a phone screen; focusable, so that it can be scrolled by keyboard. */}
      <div className="chart-scroll chart-scroll-end" role="group" aria-label={label} tabIndex={0}>
        <svg width={columns * CELL} height={rows * CELL} role="img" aria-label={label}>
          {cells.map(({ key, column, row, name, value, level }) => (
            <rect
              key={key}
              x={column * CELL + 1}
              y={row * CELL + 1}
              width={CELL - 2}
              height={CELL - 2}
              rx="2"
              className={`chart-heat-${level}`}
            >
              <title>{`${name}: ${value}`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <ChartTable
        caption={label}
        head={[nameHead, valueHead]}
        rows={cells.flatMap(({ name, value }) => (value > 0 ? [[name, value]] : [])).toReversed()}
      />
    </figure>
  );
}
