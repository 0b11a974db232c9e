import { formatShare } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import type { CalibrationBin } from "#shared/study/statistics.ts";
import { ChartTable } from "./chart-table.tsx";

const SIDE = 100;

const classAt = (index: number) => (index === 0 ? "chart-point" : "chart-ring");

interface Forecasts {
  name: string;
  bins: readonly CalibrationBin[];
}

interface Props {
  bins: readonly CalibrationBin[];
  /** A second forecaster of the same reviews, drawn as rings; `name` is the name of the first forecaster. */
  compared?: { name: string; other: Forecasts } | undefined;
}

/** Calibration: actual against predicted recall; larger points stand for more reviews. */
export function CalibrationPlot({ bins, compared }: Props) {
  const all: Forecasts[] = [{ name: compared?.name ?? "", bins }, ...(compared ? [compared.other] : [])];
  const max = Math.max(...all.flatMap((forecasts) => forecasts.bins.map(({ count }) => count)));
  const label = t("planning.retention");
  return (
    <figure className="chart">
      <svg className="chart-square" viewBox={`-4 -4 ${SIDE + 8} ${SIDE + 8}`} role="img" aria-label={label}>
        <rect width={SIDE} height={SIDE} className="chart-frame" />
        <line x1="0" y1={SIDE} x2={SIDE} y2="0" className="chart-axis" />
        {all.map((forecasts, at) =>
          forecasts.bins.map(({ predicted, actual, count }) => (
            <circle
              key={`${at} ${predicted}`}
              cx={predicted * SIDE}
              cy={SIDE - actual * SIDE}
              r={1.5 + 2.5 * Math.sqrt(count / max)}
              className={classAt(at)}
            >
              <title>
                {`${forecasts.name} ${formatShare(predicted)} → ${formatShare(actual)} (${count})`.trimStart()}
              </title>
            </circle>
          )),
        )}
      </svg>
      <figcaption>
        <span>{t("planning.predicted")} →</span>
        <span>↑ {t("planning.actual")}</span>
      </figcaption>
      {compared && <Names names={all.map(({ name }) => name)} />}
      <ChartTable
        caption={label}
        head={[
          ...(compared ? [t("planning.forecaster")] : []),
          t("planning.predicted"),
          t("planning.actual"),
          t("planning.tested"),
        ]}
        rows={all.flatMap((forecasts) =>
          forecasts.bins.map(({ predicted, actual, count }) => [
            ...(compared ? [forecasts.name] : []),
            formatShare(predicted),
            formatShare(actual),
            count,
          ]),
        )}
      />
    </figure>
  );
}

const Names = ({ names }: { names: readonly string[] }) => (
  <ul role="list" className="chart-legend">
    {names.map((name, at) => (
      <li key={name}>
        <svg viewBox="0 0 10 10" aria-hidden>
          <circle cx="5" cy="5" r="4" className={classAt(at)} />
        </svg>
        {name}
      </li>
    ))}
  </ul>
);
