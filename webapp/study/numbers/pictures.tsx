import { t } from "#shared/messages/translate.ts";
import type { CalibrationBin } from "#shared/study/statistics.ts";
import type { Bar, HeatCell } from "./figures.ts";

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
              {values.map((value, at) => (
                <td key={head[at + 1]}>{value}</td>
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
  said: string;
  bars: readonly Bar[];
  /** What a bar counts: the header of its table column. */
  head: string;
  /** Label of the scale from zero to the highest bar. */
  scaleOf: (most: number) => string;
}

export function Bars({ said, bars, head, scaleOf }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <figure className="numbers-figure">
      <svg
        viewBox={`0 0 ${bars.length * 10} ${BAR_HEIGHT + 1}`}
        role="img"
        aria-label={said}
        preserveAspectRatio="none"
      >
        <line x1="0" x2={bars.length * 10} y1={BAR_HEIGHT + 0.5} y2={BAR_HEIGHT + 0.5} className="numbers-axis" />
        {bars.map(({ name, value }, at) => {
          const height = (value / most) * BAR_HEIGHT;
          return (
            <rect
              key={name}
              x={at * 10 + 1.5}
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
        <span>{scaleOf(most)}</span>
        <span>{bars.at(-1)?.name}</span>
      </figcaption>
      <Table
        caption={said}
        head={[t("planning.day"), head]}
        rows={bars.filter(({ value }) => value > 0).map(({ name, value }) => [name, value])}
      />
    </figure>
  );
}

const CELL = 12;

interface HeatProps {
  said: string;
  cells: readonly HeatCell[];
  nameOf: (ago: number) => string;
}

export function Heatmap({ said, cells, nameOf }: HeatProps) {
  const weeks = (cells.at(-1)?.week ?? 0) + 1;
  return (
    <figure className="numbers-figure">
      {/* May be wider than a phone screen; focusable, so that it can be scrolled by keyboard. */}
      <div className="numbers-scroll" role="group" aria-label={said} tabIndex={0}>
        <svg width={weeks * CELL} height={7 * CELL} role="img" aria-label={said}>
          {cells.map(({ ago, week, weekday, reviews, level }) => (
            <rect
              key={ago}
              x={week * CELL + 1}
              y={weekday * CELL + 1}
              width={CELL - 2}
              height={CELL - 2}
              rx="2"
              className={`numbers-heat-${level}`}
            >
              <title>{`${nameOf(ago)}: ${reviews}`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <Table
        caption={said}
        head={[t("planning.day"), t("planning.answers")]}
        rows={cells
          .filter(({ reviews }) => reviews > 0)
          .map(({ ago, reviews }) => [nameOf(ago), reviews])
          .toReversed()}
      />
    </figure>
  );
}

const SIDE = 100;
const percent = (share: number) => t("planning.percent", { value: Math.round(share * 100) });

/** Calibration: actual against predicted recall; larger points stand for more reviews. */
export function CalibrationPlot({ bins }: { bins: readonly CalibrationBin[] }) {
  const most = Math.max(...bins.map(({ count }) => count));
  const said = t("planning.retention");
  return (
    <figure className="numbers-figure">
      <svg className="numbers-square" viewBox={`-4 -4 ${SIDE + 8} ${SIDE + 8}`} role="img" aria-label={said}>
        <rect width={SIDE} height={SIDE} className="numbers-frame" />
        <line x1="0" y1={SIDE} x2={SIDE} y2="0" className="numbers-line" />
        {bins.map(({ predicted, actual, count }) => (
          <circle
            key={predicted}
            cx={predicted * SIDE}
            cy={SIDE - actual * SIDE}
            r={1.5 + 2.5 * Math.sqrt(count / most)}
            className="numbers-point"
          >
            <title>{`${percent(predicted)} → ${percent(actual)} (${count})`}</title>
          </circle>
        ))}
      </svg>
      <figcaption>
        <span>{t("planning.predicted")} →</span>
        <span>↑ {t("planning.actual")}</span>
      </figcaption>
      <Table
        caption={said}
        head={[t("planning.predicted"), t("planning.actual"), t("planning.tested")]}
        rows={bins.map(({ predicted, actual, count }) => [percent(predicted), percent(actual), count])}
      />
    </figure>
  );
}
