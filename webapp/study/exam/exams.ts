import { groupBy } from "#shared/pages/rules.ts";
import type { ExamOutcome } from "#shared/study/exam/plan.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { client } from "#webapp/app/client.ts";
import { loadDue } from "../due.ts";
import { logWarning } from "#webapp/app/log.ts";
import { loadPlanInput } from "./plan-input.ts";
import { planInWorker } from "./plan-in-worker.ts";

/** Decks prepared for the same exam with a shared number of minutes per day. */
export interface Exam {
  key: string;
  decks: readonly DueDeck[];
  examAt: number;
  minutesPerDay: number;
}

/** The student's exams, the nearest first. */
export function groupExams(decks: readonly DueDeck[]): Exam[] {
  const groups = groupBy(decks, ({ examId, componentId }) => examId ?? componentId);
  return [...groups]
    .flatMap(([key, examDecks]) => {
      const { examAt = null, minutesPerDay = null } = examDecks[0] ?? {};
      return examAt === null ? [] : { key, decks: examDecks, examAt, minutesPerDay: minutesPerDay ?? 0 };
    })
    .toSorted((a, b) => a.examAt - b.examAt);
}

export type Forecast = ExamOutcome | { state: "unknown" };

/** The expected outcome of a plan; "unknown" if the decks' cards cannot be read. */
export async function computeForecast({ decks, examAt, minutesPerDay }: Omit<Exam, "key">): Promise<Forecast> {
  try {
    const planInput = await loadPlanInput(decks);
    return planInput ? await planInWorker({ ...planInput, examAt, minutesPerDay }) : { state: "no_cards" };
  } catch (error) {
    logWarning("Could not compute an exam plan", error);
    return { state: "unknown" };
  }
}

/** Saves an exam, or removes it if `exam` is null. Resolves to whether the server accepted the change. */
export async function saveExam(
  decks: readonly Pick<DueDeck, "componentId">[],
  exam: { examAt: number; minutesPerDay: number } | null,
): Promise<boolean> {
  const componentIds = decks.map(({ componentId }) => componentId);
  try {
    await client.study.saveExam({ componentIds, ...(exam ?? { examAt: null, minutesPerDay: null }) });
    await loadDue();
    return true;
  } catch (error) {
    logWarning("Could not save an exam", error);
    return false;
  }
}

/** 9 a.m. local time on the date of a date field; undefined if the date is invalid. */
export function parseExamDate(date: string): number | undefined {
  const timestamp = new Date(`${date}T09:00`).getTime();
  return Number.isNaN(timestamp) ? undefined : timestamp;
}

const padTwo = (value: number) => String(value).padStart(2, "0");

/** In the format of a date field. */
export function toDateFieldValue(timestamp: number): string {
  const date = new Date(timestamp);
  return `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
}
