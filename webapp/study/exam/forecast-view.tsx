import { documentLanguage, formatShare } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import type { ExamPlan } from "#shared/study/exam/plan.ts";
import type { Forecast } from "./exams.ts";

const DAY_MS = 86_400_000;
const dateFormat = new Intl.DateTimeFormat(documentLanguage(), { day: "numeric", month: "short" });

/** The expected outcome of a plan, as text and by day. */
export function ForecastView({ forecast, now }: { forecast: Forecast | null; now: number }) {
  if (forecast === null) return <p role="status">{t("planning.working")}</p>;
  if (forecast.state !== "planned")
    return (
      <p role="status" className="exam-wrong">
        {t(`planning.${forecast.state}`)}
      </p>
    );
  return (
    <div className="exam-forecast" role="status">
      <p className="exam-expected">
        <strong>{formatShare(forecast.recall)}</strong> {t("planning.expected")}
      </p>
      <p className="exam-note">{t("planning.expected_idle", { share: formatShare(forecast.recallIdle) })}</p>
      <p>{describeToday(forecast)}</p>
      <p>
        {forecast.unseenAtExam > 0 ? t("planning.unseen", { count: forecast.unseenAtExam }) : t("planning.all_fit")}
      </p>
      <DayTable plan={forecast} now={now} />
    </div>
  );
}

export function describeToday({ today, minutesToday }: ExamPlan): string {
  if (today.length === 0) return t("planning.today_done");
  return t("planning.today_line", { count: today.length, minutes: Math.max(1, Math.round(minutesToday)) });
}

const formatDay = (now: number, daysAhead: number) => dateFormat.format(now + daysAhead * DAY_MS);

function dayRangeName(now: number, firstDay: number, span: number): string {
  if (firstDay === 0) return t("planning.day_today");
  if (span === 1) return formatDay(now, firstDay);
  return t("planning.day_until", { from: formatDay(now, firstDay), to: formatDay(now, firstDay + span - 1) });
}

function DayTable({ plan, now }: { plan: ExamPlan; now: number }) {
  const lines = plan.days.map((line, index) => {
    const firstDay = plan.days.slice(0, index).reduce((sum, { span }) => sum + span, 0);
    return { ...line, name: dayRangeName(now, firstDay, line.span) };
  });
  return (
    <details>
      <summary>{t("planning.days_table")}</summary>
      <table className="exam-days">
        <thead>
          <tr>
            <th scope="col">{t("planning.day")}</th>
            <th scope="col">{t("planning.cards")}</th>
            <th scope="col">{t("planning.fresh")}</th>
            <th scope="col">{t("planning.minutes")}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, cards, fresh, minutes }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{Math.round(cards)}</td>
              <td>{Math.round(fresh)}</td>
              <td>{Math.round(minutes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
