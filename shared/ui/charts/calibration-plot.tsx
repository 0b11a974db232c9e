import { t } from "#shared/messages/translate.ts";
import type { CalibrationBin } from "#shared/study/statistics.ts";
import { ChartTable } from "./chart-table.tsx";

const SIDE = 100;
const formatPercent = (share: number) => t("planning.percent", { value: Math.round(share * 100) });

/** Calibration: actual against predicted recall; larger points stand for more reviews. */
export function CalibrationPlot({ bins }: { bins: readonly CalibrationBin[] }) {
  const max = Math.max(...bins.map(({ count }) => count));
  const label = t("planning.retention");
  return (
    <figure className="chart">
      <svg className="chart-square" viewBox={`-4 -4 ${SIDE + 8} ${SIDE + 8}`} role="img" aria-label={label}>
        <rect width={SIDE} height={SIDE} className="chart-frame" />
        <line x1="0" y1={SIDE} x2={SIDE} y2="0" className="chart-axis" />
        {bins.map(({ predicted, actual, count }) => (
          <circle
            key={predicted}
            cx={predicted * SIDE}
            cy={SIDE - actual * SIDE}
            r={1.5 + 2.5 * Math.sqrt(count / max)}
            className="chart-point"
          >
            <title>{`${formatPercent(predicted)} → ${formatPercent(actual)} (${count})`}</title>
          </circle>
        ))}
      </svg>
      <figcaption>
        <span>{t("planning.predicted")} →</span>
        <span>↑ {t("planning.actual")}</span>
      </figcaption>
      <ChartTable
        caption={label}
        head={[t("planning.predicted"), t("planning.actual"), t("planning.tested")]}
        rows={bins.map(({ predicted, actual, count }) => [formatPercent(predicted), formatPercent(actual), count])}
      />
    </figure>
  );
}
