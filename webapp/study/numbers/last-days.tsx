import { useState } from "react";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { BarChart } from "#shared/ui/charts/bar-chart.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import type { StudyDay } from "./statistics.ts";

const UNITS = ["reviews", "minutes"] as const;
type Unit = (typeof UNITS)[number];

const formatValue = (unit: Unit, value: number) =>
  unit === "reviews" ? t("planning.answer_count", { count: value }) : t("planning.minutes_value", { count: value });

/** Answers or minutes of each of the last days. */
export function LastDays({ days }: { days: readonly StudyDay[] }) {
  const [unit, setUnit] = useState<Unit>("reviews");
  const studied = days.filter(({ reviews }) => reviews > 0);
  const total = days.reduce((sum, day) => sum + day[unit], 0);
  const name = t(unit === "reviews" ? "planning.answers" : "planning.minutes_unit");
  return (
    <section>
      <div className="numbers-section-head">
        <h2>{t("planning.last_days", { days: days.length })}</h2>
        <Segmented
          label={t("planning.last_days_unit")}
          value={unit}
          options={[
            { value: "reviews", label: t("planning.answers") },
            { value: "minutes", label: t("planning.minutes_unit") },
          ]}
          onValue={setUnit}
        />
      </div>
      <p className="numbers-note">
        {t("planning.last_days_summary", {
          total: formatValue(unit, Math.round(total)),
          count: studied.length,
          average: formatNumber(Math.round(total / Math.max(1, studied.length))),
        })}
      </p>
      <BarChart
        hasHeading
        label={t(unit === "reviews" ? "planning.answers_by_day" : "planning.minutes_by_day")}
        nameHead={t("planning.day")}
        names={days.map((day) => day.name)}
        series={[{ name, values: days.map((day) => day[unit]) }]}
        formatValue={(value) => formatValue(unit, value)}
      />
    </section>
  );
}
