import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { planExam } from "#shared/study/exam-plan.ts";
import { replay } from "#shared/study/rules.ts";
import { drawStudent, type ExamResult, prepare } from "#tests/study/exam-students.ts";
import { type Bench, median, type Row } from "./row.ts";

const CARDS = 2000;
const ROUNDS = 5;
const DAY_MS = 86_400_000;
const STARTS_AT = Date.UTC(2026, 8, 1, 4);
/** `docs/study.md` reports the figure for 1,000. */
const STUDENTS = Number(process.env["EXAM_STUDENTS"] ?? 40);
/** File for each student's outcome, so that a long run can be split. */
const KEPT = process.env["EXAM_KEPT"];
const MOST_MINUTES = Number(process.env["EXAM_MINUTES"] ?? Number.POSITIVE_INFINITY);

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

const others = {
  fsrs: "plain FSRS, 20 new a day",
  fsrs_all_new: "plain FSRS, as many new as fit",
  fsrs_ahead: "the same, spare minutes used to study ahead",
  fsrs_same: "the same, with the plan's minutes for each day",
} as const;
type Other = keyof typeof others;

/** The results of one student with the plan and with each alternative. */
type Outcome = Record<"plan" | Other, Pick<ExamResult, "recall" | "minutes" | "forecast">> & { seed: number };

const short = ({ recall, minutes, forecast }: ExamResult) => ({ recall, minutes, forecast });

function outcomeOf(seed: number): Outcome {
  const student = drawStudent(seed);
  const plan = prepare(student, "plan");
  return {
    seed,
    plan: short(plan),
    fsrs: short(prepare(student, "fsrs")),
    fsrs_all_new: short(prepare(student, "fsrs_all_new")),
    fsrs_ahead: short(prepare(student, "fsrs_ahead")),
    fsrs_same: short(prepare(student, "fsrs_ahead", plan.daily)),
  };
}

function outcomes(): Outcome[] {
  const lines = KEPT && existsSync(KEPT) ? readFileSync(KEPT, "utf8").split("\n").filter(Boolean) : [];
  const known = new Map(lines.map((line) => JSON.parse(line) as Outcome).map((one) => [one.seed, one]));
  const until = performance.now() + MOST_MINUTES * 60_000;
  for (let seed = 1; seed <= STUDENTS && performance.now() < until; seed += 1) {
    if (known.has(seed)) continue;
    const outcome = outcomeOf(seed);
    known.set(seed, outcome);
    if (KEPT) appendFileSync(KEPT, `${JSON.stringify(outcome)}\n`);
  }
  return [...known.values()].filter(({ seed }) => seed <= STUDENTS);
}

function simulate(): Row[] {
  const all = outcomes();
  const mean = (of: (one: Outcome) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length;
  const value = mean(({ plan }) => plan.recall);
  const against = (other: Other): Row => {
    const reference = mean((one) => one[other].recall);
    const [minutes, theirs] = [mean(({ plan }) => plan.minutes), mean((one) => one[other].minutes)];
    const better = all.filter((one) => one.plan.recall > one[other].recall).length;
    const told = `${minutes.toFixed(0)} min against ${theirs.toFixed(0)}, better for ${better}`;
    const what = `recall at the exam, ${all.length} students, against ${others[other]} (${told})`;
    return { what, value, unit: "", reference, ratio: value / reference, goal: "ratio > 1" };
  };
  const off = mean(({ plan }) => Math.abs(plan.recall - plan.forecast));
  const bias = mean(({ plan }) => plan.recall - plan.forecast);
  return [
    ...(Object.keys(others) as Other[]).map(against),
    { what: "error of the first day's forecast, mean absolute", value: off, unit: "", goal: "<= 0.05" },
    { what: "error of the first day's forecast, mean", value: bias, unit: "", goal: "reported" },
  ];
}
