import type { FigureWeek } from "#shared/admin/figures-contract.ts";
import type { FigureName } from "#shared/admin/figures.ts";
import { type Cohort, sumsOf, toCohorts, toFunnel } from "#shared/admin/quality.ts";
import { formatNumber, type MessageKey, t } from "#shared/messages/translate.ts";
import { BarChart } from "#shared/ui/charts/bar-chart.tsx";
import { LineChart } from "#shared/ui/charts/line-chart.tsx";
import { formatMonthIn, formatWeek } from "../format-figures.ts";
import { ShareList } from "./share-list.tsx";

interface Props {
  weeks: readonly FigureWeek[];
  days: readonly { day: string; active: number }[];
}

const counts = [
  ["active_week", "accounts", "figures.active_weeks"],
  ["signup", "accounts", "figures.new_accounts"],
  ["answers", "answers", "figures.use_answers"],
  ["generations", "cards", "figures.use_cards"],
  ["study", "reviews", "figures.use_reviews"],
  ["usage", "fileUploads", "figures.use_files"],
  ["usage", "researchMessages", "figures.use_research"],
  ["usage", "podcastCreations", "figures.use_podcasts"],
] as const satisfies readonly (readonly [FigureName, string, MessageKey])[];

/** Active accounts, usage, the funnel of new accounts, and retention by cohort. */
export function ActivitySection({ weeks, days }: Props) {
  const names = weeks.map(({ week }) => formatWeek(week));
  // Only the week of a month's first day has the month's count.
  const months = weeks.filter(({ figures }) => figures.active_month !== undefined);
  return (
    <>
      <section className="admin-section">
        <h2>{t("figures.activity")}</h2>
        <div className="admin-metrics">
          {days.length > 0 && (
            <section className="admin-metric">
              <h3>{t("figures.active_days")}</h3>
              <LineChart
                label={t("figures.active_days")}
                nameHead={t("planning.day")}
                names={days.map(({ day }) => formatWeek(day))}
                series={[{ name: t("figures.active_accounts"), values: days.map(({ active }) => active) }]}
                format={(value) => formatNumber(Math.round(value))}
              />
            </section>
          )}
          {counts.map(([figure, sum, key]) => (
            <CountChart
              key={key}
              title={t(key)}
              nameHead={t("figures.week")}
              names={names}
              values={weeks.map((week) => sumsOf(week, figure)[sum] ?? 0)}
            />
          ))}
          <CountChart
            title={t("figures.active_months")}
            nameHead={t("figures.month")}
            names={months.map(({ week }) => formatMonthIn(week))}
            values={months.map((week) => sumsOf(week, "active_month")["accounts"] ?? 0)}
          />
        </div>
      </section>
      <Funnel weeks={weeks} />
      <Cohorts cohorts={toCohorts(weeks)} />
    </>
  );
}

interface CountProps {
  title: string;
  nameHead: string;
  names: readonly string[];
  values: readonly number[];
}

/** A bar chart over time; hidden if every count is zero. */
function CountChart({ title, nameHead, names, values }: CountProps) {
  if (values.every((value) => value === 0)) return null;
  return (
    <section className="admin-metric">
      <h3>{title}</h3>
      <BarChart hasHeading label={title} nameHead={nameHead} names={names} series={[{ name: title, values }]} />
    </section>
  );
}

function Funnel({ weeks }: Pick<Props, "weeks">) {
  const steps = toFunnel(weeks);
  const created = steps[0]?.accounts ?? 0;
  if (created === 0) return null;
  return (
    <section className="admin-section">
      <h2>{t("figures.funnel")}</h2>
      <ShareList
        whole={created}
        rows={steps.map(({ step, accounts }) => ({ name: t(`figures.step_${step}`), count: accounts }))}
      />
      <p className="admin-quiet">{t("figures.note_funnel")}</p>
    </section>
  );
}

function Cohorts({ cohorts }: { cohorts: readonly Cohort[] }) {
  const longest = Math.max(0, ...cohorts.map(({ active }) => active.length));
  if (longest === 0) return null;
  return (
    <section className="admin-section">
      <h2>{t("figures.cohorts")}</h2>
      <div className="admin-table-frame" role="group" tabIndex={0} aria-label={t("figures.cohorts")}>
        <table className="admin-table admin-numbers admin-cohorts">
          <thead>
            <tr>
              <th scope="col">{t("figures.cohort_week")}</th>
              {Array.from({ length: longest }, (_, age) => (
                <th key={age} scope="col">
                  {age}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cohorts.map((row) => (
              <CohortRow key={row.cohort} {...row} longest={longest} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="admin-quiet">{t("figures.note_cohorts")}</p>
    </section>
  );
}

const LEVELS = 4;

function CohortRow({ cohort, active, longest }: Cohort & { longest: number }) {
  const most = Math.max(1, active[0] ?? 0);
  return (
    <tr>
      <th scope="row">{formatWeek(cohort)}</th>
      {Array.from({ length: longest }, (_, age) => {
        const accounts = active[age];
        if (accounts === undefined) return <td key={age} />;
        const level = Math.min(LEVELS, Math.ceil((accounts / most) * LEVELS));
        return (
          <td key={age} className={`admin-heat-${level}`}>
            {formatNumber(accounts)}
          </td>
        );
      })}
    </tr>
  );
}
