import { performance } from "node:perf_hooks";
import { planExam } from "#shared/study/exam-plan.ts";
import { replay } from "#shared/study/rules.ts";
import { drawStudent, type ExamResult, type Policy, prepare } from "#tests/study/exam-students.ts";
import { type Bench, median, type Row } from "./row.ts";

const CARDS = 2000;
const ROUNDS = 5;
const DAY_MS = 86_400_000;
const STARTS_AT = Date.UTC(2026, 8, 1, 4);
/** The figure of `docs/study.md` is of 1,000. */
const STUDENTS = Number(process.env["EXAM_STUDENTS"] ?? 40);

export const bench: Bench = {
  name: "exam",
  run: () => Promise.resolve([measurePlan(), ...simulate()]),
};

function measurePlan(): Row {
  const cards = Array.from({ length: CARDS }, (_, at) => {
    const names = { cardId: `card-${at}`, componentId: "deck" };
    const reviewedAt = STARTS_AT - (1 + (at % 40)) * DAY_MS;
    const reviews = [4, 3].map((grade, index) => ({
      _id: `${at}-${index}`,
      ...names,
      grade: grade as 3 | 4,
      reviewedAt: reviewedAt - (1 - index) * 8 * DAY_MS,
    }));
    return { ...names, schedule: at % 2 === 0 ? undefined : replay(reviews) };
  });
  const question = { cards, startsAt: STARTS_AT, now: STARTS_AT + DAY_MS / 3, minutesPerDay: 30 };
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    planExam({ ...question, examAt: STARTS_AT + 60 * DAY_MS });
    return performance.now() - startedAt;
  });
  return { what: "exam plan for 2,000 cards in 60 days", value: median(times), unit: "ms", goal: "<= 1000" };
}

const mean = (all: readonly ExamResult[], of: (one: ExamResult) => number) =>
  all.reduce((sum, one) => sum + of(one), 0) / all.length;

function simulate(): Row[] {
  const students = Array.from({ length: STUDENTS }, (_, at) => drawStudent(at + 1));
  const results = (policy: Policy) => students.map((student) => prepare(student, policy));
  const plan = results("plan");
  const value = mean(plan, ({ recall }) => recall);
  const against = (policy: Policy, words: string): Row => {
    const others = results(policy);
    const reference = mean(others, ({ recall }) => recall);
    const minutes = `${mean(plan, (one) => one.minutes).toFixed(0)} min against ${mean(others, (one) => one.minutes).toFixed(0)}`;
    const better = plan.filter(({ recall }, at) => recall > (others[at]?.recall ?? 0)).length;
    const what = `recall at the exam, ${STUDENTS} students, against ${words} (${minutes}, better for ${better})`;
    return { what, value, unit: "", reference, ratio: value / reference, goal: "ratio > 1" };
  };
  const forecast = mean(plan, (one) => Math.abs(one.recall - one.forecast));
  return [
    against("fsrs", "plain FSRS, 20 new a day"),
    against("fsrs_all_new", "plain FSRS, as many new as fit"),
    against("fsrs_ahead", "the same, idle minutes spent ahead"),
    { what: "forecast of the first day off by, mean", value: forecast, unit: "", goal: "<= 0.05" },
  ];
}
