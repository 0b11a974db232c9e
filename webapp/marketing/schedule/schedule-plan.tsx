import { useEffect } from "react";
import {
  countLeftOut,
  makePlan,
  MAX_PLAN_DAYS,
  MAX_PLAN_TOPICS,
  writeStudyCalendar,
  type PlanDay,
  type PlanRequest,
  type PlanSession,
} from "#shared/marketing/study-plan.ts";
import { CopyResult, useCopy } from "../tools/export/copy-result.tsx";
import { prepareDownloads } from "../tools/prepare.ts";
import { countWord, toolLanguage, word } from "../tools/words.ts";
import { toFragment, type ScheduleForm } from "./schedule-state.ts";

interface Props {
  form: ScheduleForm;
  /** The request for the plan, or the key of the message that says what is missing. */
  request: PlanRequest | Exclude<Parameters<typeof word>[0], undefined>;
}

const formatDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(toolLanguage(), {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });

const describe = ({ kind, topic, minutes }: PlanSession) =>
  `${word(kind === "learn" ? "schedule_learn" : "schedule_review")}: ${topic} (${word("schedule_minutes", { minutes })})`;

/** The plan day by day, with buttons to export, share or print it. */
export function SchedulePlan({ form, request }: Props) {
  if (typeof request === "string")
    return (
      <section className="tool-result tool-empty" aria-label={word("schedule_plan")} aria-live="polite">
        <p>{word(request)}</p>
      </section>
    );
  const days = makePlan(request);
  const minutes = days.flatMap(({ sessions }) => sessions).reduce((sum, session) => sum + session.minutes, 0);
  const hours = (minutes / 60).toLocaleString(toolLanguage(), { maximumFractionDigits: 1 });
  return (
    <section className="tool-result" aria-label={word("schedule_plan")}>
      <header className="schedule-head">
        <div>
          <h2>{form.name || word("schedule_plan")}</h2>
          <p className="tool-hint">
            {word("schedule_total", { hours, days: days.length, topics: request.topics.length })}
          </p>
          <LeftOut form={form} />
        </div>
        <PlanActions form={form} request={request} days={days} />
      </header>
      <table className="schedule-table">
        <thead>
          <tr>
            <th scope="col">{word("schedule_day")}</th>
            <th scope="col">{word("schedule_plan")}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, sessions }) => (
            <tr key={day}>
              <th scope="row">
                <time dateTime={day}>{formatDay(day)}</time>
              </th>
              <td>
                <ul role="list">
                  {sessions.map((session) => (
                    <li key={`${session.kind} ${session.topic}`} data-kind={session.kind}>
                      <span>{word(session.kind === "learn" ? "schedule_learn" : "schedule_review")}</span>
                      {session.topic}
                      <span className="schedule-minutes">{word("schedule_minutes", { minutes: session.minutes })}</span>
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
          <tr className="schedule-exam">
            <th scope="row">
              <time dateTime={form.exam}>{formatDay(form.exam)}</time>
            </th>
            <td>{word("schedule_exam_day")}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

/** Says what the plan does not cover. */
function LeftOut({ form }: { form: ScheduleForm }) {
  const { topics, days } = countLeftOut(form.topics, form);
  return (
    <div role="status">
      {topics > 0 && (
        <p className="tool-problem">{countWord("schedule_topics_left_out", topics, { max: MAX_PLAN_TOPICS })}</p>
      )}
      {days > 0 && <p className="tool-problem">{countWord("schedule_days_left_out", days, { max: MAX_PLAN_DAYS })}</p>}
    </div>
  );
}

interface ActionsProps {
  form: ScheduleForm;
  request: PlanRequest;
  days: readonly PlanDay[];
}

function PlanActions({ form, request, days }: ActionsProps) {
  const { copied, copy } = useCopy();
  const name = form.name || word("schedule_plan");
  useEffect(prepareDownloads, []);
  const saveCalendar = async () => {
    const { downloadBlob } = await import("../tools/export/download-cards.ts");
    const events = days.map(({ day, sessions }) => ({
      day,
      summary: `${name}: ${sessions.map(({ topic }) => topic).join(", ")}`,
      description: sessions.map(describe).join("\n"),
    }));
    const exam = { day: form.exam, summary: `${word("schedule_exam_day")}: ${name}`, description: "" };
    const text = writeStudyCalendar(request, [...events, exam], Date.now());
    downloadBlob(new Blob([text], { type: "text/calendar;charset=utf-8" }), "study-plan.ics");
  };
  const copyLink = () => copy({ plain: `${location.origin}${location.pathname}#${toFragment(form)}` });
  return (
    <div className="tool-downloads tool-actions">
      <button type="button" className="button button-secondary" onClick={() => void saveCalendar()}>
        {word("schedule_calendar")}
      </button>
      <button type="button" className="button button-secondary" onClick={() => void copyLink()}>
        {word("schedule_copy")}
      </button>
      <button type="button" className="button button-secondary" onClick={() => window.print()}>
        {word("print")}
      </button>
      <CopyResult copied={copied} done={word("schedule_copied")} />
    </div>
  );
}
