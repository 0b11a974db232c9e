import { useState } from "react";
import { formatNumber } from "#shared/messages/translate.ts";
import { namedIndexes, roundTicks } from "./axis.ts";
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
  /** The header of the table's first column: what the bars stand for, such as days. */
  nameHead: string;
  names: readonly string[];
  /** Several series are stacked, the first at the bottom. */
  series: readonly BarSeries[];
  /** A value with its unit, if it has one. */
  formatValue?: (value: number) => string;
  /** The label is above the chart, as a heading. */
  hasHeading?: boolean;
  /** The index of a bar in the colour of what is due. */
  emphasised?: number;
}

/** Bars over two axes, stacked if there are several series. The bar under the pointer is described below the chart. */
export function BarChart({
  label,
  nameHead,
  names,
  series,
  formatValue = (value) => formatNumber(value),
  hasHeading = false,
  emphasised,
}: Props) {
  const totals = names.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const ticks = roundTicks(0, Math.max(...totals), 1);
  const [pointed, setPointed] = useState<number>();
  const described =
    pointed === undefined || names[pointed] === undefined
      ? undefined
      : `${names[pointed]}: ${series.map(({ values }) => formatValue(values[pointed] ?? 0)).join(" + ")}`;
  return (
    <figure className="chart">
      <div className="chart-bars">
        <div className="chart-ticks" aria-hidden>
          {ticks.toReversed().map((tick) => (
            <span key={tick}>{formatNumber(tick)}</span>
          ))}
        </div>
        <Plot {...{ label, names, series, ticks, formatValue, emphasised }} onPoint={setPointed} />
        <NameAxis names={names} />
      </div>
      <figcaption>
        {/* The picture and the table have the label as their name already. */}
        <span className="chart-value" aria-hidden={described === undefined}>
          {described ?? (hasHeading ? "" : label)}
        </span>
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

interface PlotProps extends Required<Pick<Props, "label" | "names" | "series" | "formatValue">> {
  emphasised: number | undefined;
  ticks: readonly number[];
  onPoint: (index: number | undefined) => void;
}

function Plot({ label, names, series, ticks, formatValue, emphasised, onPoint }: PlotProps) {
  const max = ticks.at(-1) ?? 1;
  const width = names.length * BAR;
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
      // Lifting a finger is also a leave event, but then the description must stay.
      onPointerLeave={({ pointerType }) => pointerType === "mouse" && onPoint(undefined)}
    >
      {ticks.map((tick) => (
        <line
          key={tick}
          x1="0"
          x2={width}
          y1={HEIGHT * (1 - tick / max)}
          y2={HEIGHT * (1 - tick / max)}
          className={tick === 0 ? "chart-axis" : "chart-grid"}
        />
      ))}
      {names.map((name, index) => (
        <g key={name} onPointerEnter={() => onPoint(index)}>
          {/* The whole column can be pointed at, not only a low bar. */}
          <rect x={index * BAR} y="0" width={BAR} height={HEIGHT} className="chart-column" />
          <Bar
            name={name}
            x={index * BAR + 1.5}
            series={series}
            index={index}
            scale={HEIGHT / max}
            formatValue={formatValue}
            isEmphasised={index === emphasised}
          />
        </g>
      ))}
    </svg>
  );
}

/** Some of the names, each below the middle of its bar; a narrow window shows every second one. */
function NameAxis({ names }: { names: readonly string[] }) {
  return (
    <div className="chart-names" aria-hidden>
      {namedIndexes(names.length).map((index) => (
        <span key={index} style={{ left: `${((index + 0.5) / names.length) * 100}%` }}>
          {names[index]}
        </span>
      ))}
    </div>
  );
}

interface BarProps {
  name: string;
  x: number;
  series: readonly BarSeries[];
  index: number;
  scale: number;
  formatValue: (value: number) => string;
  isEmphasised: boolean;
}

function Bar({ name, x, series, index, scale, formatValue, isEmphasised }: BarProps) {
  const heights = series.map(({ values }) => (values[index] ?? 0) * scale);
  return (
    <>
      {series.map((part, position) => {
        const value = formatValue(part.values[index] ?? 0);
        const top = HEIGHT - heights.slice(0, position + 1).reduce((sum, height) => sum + height, 0);
        const fill = isEmphasised ? "chart-fill-due" : `chart-fill-${position % 5}`;
        return (
          <rect key={part.name} x={x} y={top} width="7" height={heights[position]} className={fill}>
            <title>{series.length > 1 ? `${name}, ${part.name}: ${value}` : `${name}: ${value}`}</title>
          </rect>
        );
      })}
    </>
  );
}

/** The names of the colours. The table gives the same information without colour. */
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
