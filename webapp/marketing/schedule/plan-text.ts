import type { PlanRequest, PlanDay, PlanExam, PlanSession } from "#shared/marketing/study-plan.ts";
import type { ExamEvents } from "#shared/marketing/study-calendar.ts";
import type { PendingLine } from "#shared/marketing/pending-cards.ts";
import { toolLanguage, word } from "../tools/words.ts";

export const formatDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(toolLanguage(), {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });

/** The name of an exam, or its number if it has none. */
export const nameOrNumber = (name: string, index: number): string =>
  name.trim() || word("schedule_exam_number", { number: index + 1 });

/** The name of an exam among several, or its number if it has none. */
export const examName = ({ exams }: PlanRequest, index: number): string =>
  nameOrNumber(exams[index]?.name ?? "", index);

/** The name of the plan: that of its only exam, or those of all. */
export function planTitle(request: PlanRequest): string {
  if (request.exams.length > 1) return request.exams.map((_, index) => examName(request, index)).join(", ");
  return request.exams[0]?.name.trim() || word("schedule_plan");
}

/** The name of an exam where it is not beside others: a single one has the name of the plan. */
const fullExamName = (request: PlanRequest, index: number) =>
  request.exams.length > 1 ? examName(request, index) : planTitle(request);

export const kindWord = ({ kind }: PlanSession) => word(kind === "learn" ? "schedule_learn" : "schedule_review");

const describe = (session: PlanSession) =>
  `${kindWord(session)}: ${session.topic} (${word("schedule_minutes", { minutes: session.minutes })})`;

export interface PlanRow {
  day: string;
  sessions: readonly PlanSession[];
  /** Positions of the exams on this day. */
  exams: number[];
}

/** The study days and the days of the exams. */
export function listRows({ exams }: PlanRequest, days: readonly PlanDay[]): PlanRow[] {
  const rows = new Map(days.map(({ day, sessions }): [string, PlanRow] => [day, { day, sessions, exams: [] }]));
  for (const [index, { exam }] of exams.entries()) {
    const row = rows.get(exam) ?? { day: exam, sessions: [], exams: [] };
    rows.set(exam, { ...row, exams: [...row.exams, index] });
  }
  return [...rows.values()].toSorted((a, b) => a.day.localeCompare(b.day));
}

/** The events of each exam for a calendar: one for each day on which it is studied, and its own day. */
export function listExamEvents(request: PlanRequest, days: readonly PlanDay[]): ExamEvents[] {
  return request.exams.map(({ topics, exam }: PlanExam, index) => {
    const name = fullExamName(request, index);
    const events = days.flatMap(({ day, sessions }) => {
      const own = sessions.filter((session) => session.exam === index);
      const summary = `${name}: ${own.map(({ topic }) => topic).join(", ")}`;
      return own.length === 0 ? [] : [{ day, summary, description: own.map(describe).join("\n") }];
    });
    return {
      topics,
      exam,
      events: [...events, { day: exam, summary: `${word("schedule_exam_day")}: ${name}`, description: "" }],
    };
  });
}

/** The plan as the lines of a page: a task for each day. */
export function toPageLines(request: PlanRequest, days: readonly PlanDay[]): PendingLine[] {
  const hasSeveral = request.exams.length > 1;
  const describeOn = (session: PlanSession) =>
    hasSeveral ? `${examName(request, session.exam)}, ${describe(session)}` : describe(session);
  return [
    { kind: "text", text: word("schedule_page_hint") },
    ...listRows(request, days).flatMap(({ day, sessions, exams }): PendingLine[] => [
      ...exams.map((index): PendingLine => ({
        kind: "heading",
        text: `${formatDay(day)}: ${word("schedule_exam_day")}, ${fullExamName(request, index)}`,
      })),
      ...(sessions.length === 0
        ? []
        : [{ kind: "task" as const, text: `${formatDay(day)}: ${sessions.map(describeOn).join("; ")}` }]),
    ]),
  ];
}
