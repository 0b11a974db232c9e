import { groupBy } from "#shared/pages/rules.ts";
import type { ExamOutcome } from "#shared/study/exam-plan.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { client } from "#webapp/app/client.ts";
import { loadDue } from "../due.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { prepareDecks } from "./exam-cards.ts";
import { planAside } from "./planner.ts";

/** Decks that are prepared for one day with one number of minutes. */
export interface Exam {
  key: string;
  decks: readonly DueDeck[];
  examAt: number;
  minutesPerDay: number;
}

/** The exams that the student set, the nearest first. */
export function examsOf(decks: readonly DueDeck[]): Exam[] {
  const groups = groupBy(decks, ({ examId, componentId }) => examId ?? componentId);
  return [...groups]
    .flatMap(([key, own]) => {
      const { examAt = null, minutesPerDay = null } = own[0] ?? {};
      return examAt === null ? [] : { key, decks: own, examAt, minutesPerDay: minutesPerDay ?? 0 };
    })
    .toSorted((a, b) => a.examAt - b.examAt);
}

export type Forecast = ExamOutcome | { state: "unknown" };

/** What a plan would come to; "unknown" where the decks' cards cannot be read here and now. */
export async function forecastOf({ decks, examAt, minutesPerDay }: Omit<Exam, "key">): Promise<Forecast> {
  try {
    const prepared = await prepareDecks(decks);
    return prepared ? await planAside({ ...prepared, examAt, minutesPerDay }) : { state: "no_cards" };
  } catch (error) {
    logTrouble("A plan for an exam could not be worked out", error);
    return { state: "unknown" };
  }
}

/** Answers whether the server has taken it. */
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
    logTrouble("An exam could not be saved", error);
    return false;
  }
}

/** The morning of a day as a field of dates says it; undefined where it says none. */
export function morningOf(date: string): number | undefined {
  const at = new Date(`${date}T09:00`).getTime();
  return Number.isNaN(at) ? undefined : at;
}

const two = (value: number) => String(value).padStart(2, "0");

/** As a field of dates takes it. */
export function dateFieldOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
