import { namedIndexes, roundTicks } from "./axis.ts";
import { Legend } from "./bar-chart.tsx";
import { ChartTable } from "./chart-table.tsx";

const WIDTH = 420;
const HEIGHT = 170;
const LEFT = 66;
const RIGHT = 20;
const TOP = 10;
const BOTTOM = 24;

export interface LineSeries {
  name: string;
  /** Null if nothing was counted, which leaves a gap in the line. */
  values: readonly (number | null)[];
}

interface Props {
  label: string;
  /** The header of the table's first column: what the points stand for, such as weeks. */
  nameHead: string;
  names: readonly string[];
  series: readonly LineSeries[];
  format: (value: number) => string;
  /** Formats the numbers beside the scale, where space is short; `format` is used if this is missing. */
  formatScale?: ((value: number) => string) | undefined;
  /** The highest possible value, such as 1 for shares, where the scale ends. */
  ceiling?: number | undefined;
}

interface Scale {
  ticks: readonly number[];
  toX: (index: number) => number;
  toY: (value: number) => number;
}

function scaleOf({
  names,
  series,
  ceiling = Number.POSITIVE_INFINITY,
}: Pick<Props, "names" | "series" | "ceiling">): Scale {
  const values = series.flatMap((line) => line.values.filter((value) => value !== null));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Equal values at the ceiling leave no room above for a second number.
  const ticks = roundTicks(low === high && high >= ceiling ? 0 : low, high).filter((tick) => tick <= ceiling);
  const [min = 0, max = 1] = [ticks[0], ticks.at(-1)];
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, names.length - 1);
  return {
    ticks,
    toX: (index) => (names.length === 1 ? (LEFT + WIDTH - RIGHT) / 2 : LEFT + index * step),
    toY: (value) => HEIGHT - BOTTOM - ((value - min) / (max - min)) * (HEIGHT - TOP - BOTTOM),
  };
}

/** The points of a line, split at its gaps. */
function toSegments(values: LineSeries["values"]): { index: number; value: number }[][] {
  const segments: { index: number; value: number }[][] = [[]];
  for (const [index, value] of values.entries())
    if (value === null) segments.push([]);
    else segments.at(-1)?.push({ index, value });
  return segments.filter((points) => points.length > 0);
}

/** The last label ends at the edge, so that it is not cut. */
const labelX = (index: number, last: number, { toX }: Scale) => (index === last ? WIDTH : toX(index));

/** Lines over time. */
export function LineChart({ label, nameHead, names, series, format, formatScale = format, ceiling }: Props) {
  const scale = scaleOf({ names, series, ceiling });
  const named = namedIndexes(names.length);
  const last = names.length - 1;
  return (
    <figure className="chart">
      <svg className="chart-lines" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <Grid scale={scale} format={formatScale} />
        {names.map((name, index) =>
          named.includes(index) ? (
            <text
              key={name}
              x={labelX(index, last, scale)}
              y={HEIGHT - 6}
              textAnchor={index === last ? "end" : index === 0 ? "start" : "middle"}
            >
              {name}
            </text>
          ) : null,
        )}
        {series.map((line, position) => (
          <Line key={line.name} series={line} position={position} names={names} scale={scale} format={format} />
        ))}
      </svg>
      {series.length > 1 && <Legend names={series.map(({ name }) => name)} />}
      <ChartTable
        caption={label}
        head={[nameHead, ...series.map(({ name }) => name)]}
        rows={names.map((name, index) => [
          name,
          ...series.map(({ values }) => {
            const value = values[index] ?? null;
            return value === null ? "–" : format(value);
          }),
        ])}
      />
    </figure>
  );
}

function Grid({ scale: { ticks, toY }, format }: { scale: Scale; format: (value: number) => string }) {
  const labels = ticks.map((value) => ({ value, text: format(value) }));
  return labels.map(({ value, text }, index) => (
    <g key={value}>
      <line x1={LEFT} x2={WIDTH - RIGHT} y1={toY(value)} y2={toY(value)} className="chart-grid" />
      <text x={LEFT - 6} y={toY(value) + 4} textAnchor="end">
        {/* After rounding, two steps of a short scale may have the same text, which is shown only once. */}
        {text !== labels[index - 1]?.text && text}
      </text>
    </g>
  ));
}

interface LineProps {
  series: LineSeries;
  position: number;
  names: readonly string[];
  scale: Scale;
  format: (value: number) => string;
}

function Line({ series: { name, values }, position, names, scale: { toX, toY }, format }: LineProps) {
  return toSegments(values).map((points) => (
    <g key={points[0]?.index} className={`chart-line-${position % 5}`}>
      <polyline points={points.map(({ index, value }) => `${toX(index)},${toY(value)}`).join(" ")} />
      {points.map(({ index, value }) => (
        <circle key={index} cx={toX(index)} cy={toY(value)} r="3">
          <title>{`${names[index]}, ${name}: ${format(value)}`}</title>
        </circle>
      ))}
    </g>
  ));
}
