import { makePlan, type PlanRequest, type PlanSession } from "#shared/marketing/study-plan.ts";
import { toolLanguage, word } from "../tools/words.ts";
import { SavePlan, PlanActions } from "./plan-actions.tsx";
import { examName, formatDay, kindWord, listRows, nameOrNumber, planTitle, type PlanRow } from "./plan-text.ts";
import { listUnplanned, type ScheduleForm } from "./schedule-state.ts";

interface Props {
  form: ScheduleForm;
  /** The request for the plan, or the key of the message that says what is missing. */
  request: PlanRequest | Exclude<Parameters<typeof word>[0], undefined>;
}

/** The plan day by day, with buttons to export, share, print or keep it. */
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
  const topics = request.exams.reduce((sum, exam) => sum + exam.topics.length, 0);
  return (
    <section className="tool-result" aria-label={word("schedule_plan")}>
      <header className="schedule-head">
        <div>
          <h2>{planTitle(request)}</h2>
          <p className="tool-hint">{word("schedule_total", { hours, days: days.length, topics })}</p>
          <Unplanned form={form} />
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
          {listRows(request, days).map((row) => (
            <Day key={row.day} row={row} request={request} />
          ))}
        </tbody>
      </table>
      <SavePlan request={request} days={days} />
    </section>
  );
}

/** Names the exams that are begun in the form but cannot be planned yet. */
function Unplanned({ form }: { form: ScheduleForm }) {
  const names = listUnplanned(form).map((exam) => nameOrNumber(exam.name, form.exams.indexOf(exam)));
  return (
    <div role="status">
      {names.length > 0 && <p className="tool-problem">{word("schedule_unplanned", { names: names.join(", ") })}</p>}
    </div>
  );
}

function Day({ row: { day, sessions, exams }, request }: { row: PlanRow; request: PlanRequest }) {
  const hasSeveral = request.exams.length > 1;
  return (
    <tr>
      <th scope="row">
        <time dateTime={day}>{formatDay(day)}</time>
      </th>
      <td>
        <ul role="list">
          {exams.map((index) => (
            <li key={index} className="schedule-exam">
              {hasSeveral ? `${word("schedule_exam_day")}: ${examName(request, index)}` : word("schedule_exam_day")}
            </li>
          ))}
          {sessions.map((session) => (
            <Session
              key={`${session.exam} ${session.kind} ${session.topic}`}
              session={session}
              exam={hasSeveral ? examName(request, session.exam) : undefined}
            />
          ))}
        </ul>
      </td>
    </tr>
  );
}

const Session = ({ session, exam }: { session: PlanSession; exam: string | undefined }) => (
  <li data-kind={session.kind}>
    <span className="schedule-kind">{kindWord(session)}</span>
    <span className="schedule-topic">
      {exam !== undefined && <span className="schedule-course">{exam}: </span>}
      {session.topic}
    </span>
    <span className="schedule-minutes">{word("schedule_minutes", { minutes: session.minutes })}</span>
  </li>
);
