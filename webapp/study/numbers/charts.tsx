import { t } from "#shared/messages/translate.ts";
import type { CalibrationBin } from "#shared/study/statistics.ts";
import type { Bar, HeatCell } from "./statistics.ts";

interface TableProps {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** The chart's data as a table, for screen readers. */
function Table({ caption, head, rows }: TableProps) {
  return (
    <details className="numbers-table">
      <summary>{t("planning.show_table")}</summary>
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
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={head[index + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const BAR_HEIGHT = 80;

interface BarsProps {
  label: string;
  bars: readonly Bar[];
  /** What a bar counts: the header of its table column. */
  head: string;
  /** Label of the scale from zero to the highest bar. */
  formatScale: (max: number) => string;
}

export function Bars({ label, bars, head, formatScale }: BarsProps) {
  const max = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <figure className="numbers-figure">
      <svg
        viewBox={`0 0 ${bars.length * 10} ${BAR_HEIGHT + 1}`}
        role="img"
        aria-label={label}
        preserveAspectRatio="none"
      >
        <line x1="0" x2={bars.length * 10} y1={BAR_HEIGHT + 0.5} y2={BAR_HEIGHT + 0.5} className="numbers-axis" />
        {bars.map(({ name, value }, index) => {
          const height = (value / max) * BAR_HEIGHT;
          return (
            <rect
              key={name}
              x={index * 10 + 1.5}
              y={BAR_HEIGHT - height}
              width="7"
              height={height}
              className="numbers-bar"
            >
              <title>{`${name}: ${value}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{bars[0]?.name}</span>
        <span>{formatScale(max)}</span>
        <span>{bars.at(-1)?.name}</span>
      </figcaption>
      <Table
        caption={label}
        head={[t("planning.day"), head]}
        rows={bars.filter(({ value }) => value > 0).map(({ name, value }) => [name, value])}
      />
    </figure>
  );
}

const CELL = 12;

interface HeatProps {
  label: string;
  cells: readonly HeatCell[];
  formatDay: (daysAgo: number) => string;
}

export function Heatmap({ label, cells, formatDay }: HeatProps) {
  const weeks = (cells.at(-1)?.week ?? 0) + 1;
  return (
    <figure className="numbers-figure">
      {/* May be wider than a phone screen; focusable, so that it can be scrolled by keyboard. */}
      <div className="numbers-scroll" role="group" aria-label={label} tabIndex={0}>
        <svg width={weeks * CELL} height={7 * CELL} role="img" aria-label={label}>
          {cells.map(({ daysAgo, week, weekday, reviews, level }) => (
            <rect
              key={daysAgo}
              x={week * CELL + 1}
              y={weekday * CELL + 1}
              width={CELL - 2}
              height={CELL - 2}
              rx="2"
              className={`numbers-heat-${level}`}
            >
              <title>{`${formatDay(daysAgo)}: ${reviews}`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <Table
        caption={label}
        head={[t("planning.day"), t("planning.answers")]}
        rows={cells
          .filter(({ reviews }) => reviews > 0)
          .map(({ daysAgo, reviews }) => [formatDay(daysAgo), reviews])
          .toReversed()}
      />
    </figure>
  );
}

const SIDE = 100;
const formatPercent = (share: number) => t("planning.percent", { value: Math.round(share * 100) });

/** Calibration: actual against predicted recall; larger points stand for more reviews. */
export function CalibrationPlot({ bins }: { bins: readonly CalibrationBin[] }) {
  const max = Math.max(...bins.map(({ count }) => count));
  const label = t("planning.retention");
  return (
    <figure className="numbers-figure">
      <svg className="numbers-square" viewBox={`-4 -4 ${SIDE + 8} ${SIDE + 8}`} role="img" aria-label={label}>
        <rect width={SIDE} height={SIDE} className="numbers-frame" />
        <line x1="0" y1={SIDE} x2={SIDE} y2="0" className="numbers-line" />
        {bins.map(({ predicted, actual, count }) => (
          <circle
            key={predicted}
            cx={predicted * SIDE}
            cy={SIDE - actual * SIDE}
            r={1.5 + 2.5 * Math.sqrt(count / max)}
            className="numbers-point"
          >
            <title>{`${formatPercent(predicted)} → ${formatPercent(actual)} (${count})`}</title>
          </circle>
        ))}
      </svg>
      <figcaption>
        <span>{t("planning.predicted")} →</span>
        <span>↑ {t("planning.actual")}</span>
      </figcaption>
      <Table
        caption={label}
        head={[t("planning.predicted"), t("planning.actual"), t("planning.tested")]}
        rows={bins.map(({ predicted, actual, count }) => [formatPercent(predicted), formatPercent(actual), count])}
      />
    </figure>
  );
}
