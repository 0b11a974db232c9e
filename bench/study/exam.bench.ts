import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { planExam } from "#shared/study/exam/plan.ts";
import { replay } from "#shared/study/rules.ts";
import { drawStudent, type ExamResult, prepare } from "#tests/study/exam/exam-students.ts";
import { type Bench, median, type Row } from "../row.ts";

const CARDS = 2000;
const ROUNDS = 5;
const DAY_MS = 86_400_000;
const STARTS_AT = Date.UTC(2026, 8, 1, 4);
/** `docs/study.md` reports the figure for 1,000. */
const STUDENTS = Number(process.env["EXAM_STUDENTS"] ?? 40);
/** File for each student's outcome, so that a long run can be split. */
const OUTCOMES_FILE = process.env["EXAM_KEPT"];
const MAX_MINUTES = Number(process.env["EXAM_MINUTES"] ?? Number.POSITIVE_INFINITY);

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

const alternatives = {
  fsrs: "plain FSRS, 20 new a day",
  fsrs_all_new: "plain FSRS, as many new as fit",
  fsrs_ahead: "the same, spare minutes used to study ahead",
  fsrs_same: "the same, with the plan's minutes for each day",
} as const;
type Alternative = keyof typeof alternatives;

/** The results of one student with the plan and with each alternative. */
type Outcome = Record<"plan" | Alternative, Pick<ExamResult, "recall" | "minutes" | "forecast">> & { seed: number };

const summarize = ({ recall, minutes, forecast }: ExamResult) => ({ recall, minutes, forecast });

function simulateStudent(seed: number): Outcome {
  const student = drawStudent(seed);
  const plan = prepare(student, "plan");
  return {
    seed,
    plan: summarize(plan),
    fsrs: summarize(prepare(student, "fsrs")),
    fsrs_all_new: summarize(prepare(student, "fsrs_all_new")),
    fsrs_ahead: summarize(prepare(student, "fsrs_ahead")),
    fsrs_same: summarize(prepare(student, "fsrs_ahead", plan.daily)),
  };
}

function loadOutcomes(): Outcome[] {
  const lines =
    OUTCOMES_FILE && existsSync(OUTCOMES_FILE) ? readFileSync(OUTCOMES_FILE, "utf8").split("\n").filter(Boolean) : [];
  const bySeed = new Map(lines.map((line) => JSON.parse(line) as Outcome).map((outcome) => [outcome.seed, outcome]));
  const deadline = performance.now() + MAX_MINUTES * 60_000;
  for (let seed = 1; seed <= STUDENTS && performance.now() < deadline; seed += 1) {
    if (bySeed.has(seed)) continue;
    const outcome = simulateStudent(seed);
    bySeed.set(seed, outcome);
    if (OUTCOMES_FILE) appendFileSync(OUTCOMES_FILE, `${JSON.stringify(outcome)}\n`);
  }
  return [...bySeed.values()].filter(({ seed }) => seed <= STUDENTS);
}

function simulate(): Row[] {
  const all = loadOutcomes();
  const mean = (of: (outcome: Outcome) => number) => all.reduce((sum, outcome) => sum + of(outcome), 0) / all.length;
  const value = mean(({ plan }) => plan.recall);
  const compareWith = (alternative: Alternative): Row => {
    const reference = mean((outcome) => outcome[alternative].recall);
    const [minutes, otherMinutes] = [mean(({ plan }) => plan.minutes), mean((outcome) => outcome[alternative].minutes)];
    const better = all.filter((outcome) => outcome.plan.recall > outcome[alternative].recall).length;
    const summary = `${minutes.toFixed(0)} min against ${otherMinutes.toFixed(0)}, better for ${better}`;
    const what = `recall at the exam, ${all.length} students, against ${alternatives[alternative]} (${summary})`;
    return { what, value, unit: "", reference, ratio: value / reference, goal: "ratio > 1" };
  };
  const absoluteError = mean(({ plan }) => Math.abs(plan.recall - plan.forecast));
  const bias = mean(({ plan }) => plan.recall - plan.forecast);
  return [
    ...(Object.keys(alternatives) as Alternative[]).map(compareWith),
    { what: "error of the first day's forecast, mean absolute", value: absoluteError, unit: "", goal: "<= 0.05" },
    { what: "error of the first day's forecast, mean", value: bias, unit: "", goal: "reported" },
  ];
}
