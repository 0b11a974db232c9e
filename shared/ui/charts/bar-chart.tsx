import { useState } from "react";
import { formatNumber } from "#shared/messages/translate.ts";
import { ChartTable } from "./chart-table.tsx";

const HEIGHT = 80;
const BAR = 10;

/** One colour of the bars: a value for each name. */
export interface BarSeries {
  name: string;
  values: readonly number[];
}

interface Props {
  label: string;
  /** What the bars stand for, such as days: the header of the table's first column. */
  nameHead: string;
  names: readonly string[];
  /** Several series are stacked, the first at the bottom. */
  series: readonly BarSeries[];
  /** Label of the scale from zero to the highest bar. */
  formatScale: (max: number) => string;
  /** A value with its unit, if it has one. */
  formatValue?: (value: number) => string;
}

/** Bars, stacked if there are several series; the one under the pointer is described below. */
export function BarChart({
  label,
  nameHead,
  names,
  series,
  formatScale,
  formatValue = (value) => formatNumber(value),
}: Props) {
  const totals = names.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const max = Math.max(1, ...totals);
  const width = names.length * BAR;
  const [pointed, setPointed] = useState<number>();
  const described =
    pointed === undefined || names[pointed] === undefined
      ? undefined
      : `${names[pointed]}: ${series.map(({ values }) => formatValue(values[pointed] ?? 0)).join(" + ")}`;
  return (
    <figure className="chart">
      <svg
        viewBox={`0 0 ${width} ${HEIGHT + 1}`}
        role="img"
        aria-label={label}
        preserveAspectRatio="none"
        // A finger leaves as it is lifted: what it pointed at stays described.
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && setPointed(undefined)}
      >
        <line x1="0" x2={width} y1="0.5" y2="0.5" className="chart-grid" />
        <line x1="0" x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className="chart-axis" />
        {names.map((name, index) => (
          <g key={name} onPointerEnter={() => setPointed(index)}>
            {/* The whole column can be pointed at, not only a low bar. */}
            <rect x={index * BAR} y="0" width={BAR} height={HEIGHT} className="chart-column" />
            <Bar
              name={name}
              x={index * BAR + 1.5}
              series={series}
              index={index}
              scale={HEIGHT / max}
              formatValue={formatValue}
            />
          </g>
        ))}
      </svg>
      <figcaption>
        <span>{names[0]}</span>
        <span className="chart-value">{described ?? formatScale(max)}</span>
        <span>{names.at(-1)}</span>
      </figcaption>
      {series.length > 1 && <Legend names={series.map(({ name }) => name)} />}
      <ChartTable
        caption={label}
        head={[nameHead, ...series.map(({ name }) => name)]}
        rows={names.flatMap((name, index) =>
          totals[index] === 0 ? [] : [[name, ...series.map(({ values }) => values[index] ?? 0)]],
        )}
      />
    </figure>
  );
}

interface BarProps {
  name: string;
  x: number;
  series: readonly BarSeries[];
  index: number;
  scale: number;
  formatValue: (value: number) => string;
}

function Bar({ name, x, series, index, scale, formatValue }: BarProps) {
  const heights = series.map(({ values }) => (values[index] ?? 0) * scale);
  return (
    <>
      {series.map((one, position) => {
        const value = formatValue(one.values[index] ?? 0);
        const top = HEIGHT - heights.slice(0, position + 1).reduce((sum, height) => sum + height, 0);
        const fill = `chart-fill-${position % 5}`;
        return (
          <rect key={one.name} x={x} y={top} width="7" height={heights[position]} className={fill}>
            <title>{series.length > 1 ? `${name}, ${one.name}: ${value}` : `${name}: ${value}`}</title>
          </rect>
        );
      })}
    </>
  );
}

/** The names of colours; the table says the same without colour. */
export function Legend({ names }: { names: readonly string[] }) {
  return (
    <ul role="list" className="chart-legend">
      {names.map((name, position) => (
        <li key={name}>
          <svg viewBox="0 0 10 10" aria-hidden>
            <rect width="10" height="10" rx="2" className={`chart-fill-${position % 5}`} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
