import { expect, test, vi } from "vitest";
import { drawStudent, type Policy, prepare } from "./exam-students.ts";
import { type ExamCard, type ExamPlan, planExam, type ExamPlanInput } from "#shared/study/exam/plan.ts";
import { replay } from "#shared/study/rules.ts";
import type { Grade } from "#shared/study/schema.ts";

// Simulating weeks of many students takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const DAY_MS = 86_400_000;
const STARTS_AT = Date.UTC(2026, 8, 1, 4);
const NOW = STARTS_AT + 9 * 3_600_000;

const newCards = (count: number): ExamCard[] =>
  Array.from({ length: count }, (_, at) => ({ cardId: `new-${at}`, componentId: "deck", schedule: undefined }));

/** Cards with some weeks of reviews behind them, last seen on different days. */
const knownCards = (count: number): ExamCard[] =>
  Array.from({ length: count }, (_, at) => {
    const names = { cardId: `known-${at}`, componentId: "deck" };
    const grades: Grade[] = at % 3 === 0 ? [3, 3, 1] : [3, 3, 3];
    const reviews = grades.map((grade, index) => ({
      _id: `${at}-${index}`,
      ...names,
      grade,
      reviewedAt: NOW - (30 - index * 9 - (at % 8)) * DAY_MS,
    }));
    return { ...names, schedule: replay(reviews) };
  });

const question = (parts: Partial<ExamPlanInput> = {}): ExamPlanInput => ({
  cards: newCards(100),
  startsAt: STARTS_AT,
  now: NOW,
  examAt: STARTS_AT + 14 * DAY_MS + 5 * 3_600_000,
  minutesPerDay: 20,
  ...parts,
});

function planned(parts: Partial<ExamPlanInput> = {}): ExamPlan {
  const plan = planExam(question(parts));
  if (plan.state !== "planned") throw new Error(plan.state);
  return plan;
}

test("an exam in the past, zero minutes and no cards are each reported", () => {
  expect(planExam(question({ examAt: NOW - 1 }))).toEqual({ state: "past" });
  expect(planExam(question({ examAt: NOW }))).toEqual({ state: "past" });
  expect(planExam(question({ minutesPerDay: 0 }))).toEqual({ state: "no_minutes" });
  expect(planExam(question({ minutesPerDay: Number.NaN }))).toEqual({ state: "no_minutes" });
  expect(planExam(question({ cards: [] }))).toEqual({ state: "no_cards" });
});

test("the plan returns its forecast and each day's cards, and stays within the minutes", () => {
  const { recall, recallIdle, days, daysLeft, unseenAtExam } = planned({ cards: [...newCards(60), ...knownCards(60)] });
  expect(daysLeft).toBe(14);
  expect(recallIdle).toBeLessThan(recall);
  expect(recall).toBeGreaterThan(0.9);
  expect(recall).toBeLessThanOrEqual(1);
  expect(unseenAtExam).toBe(0);
  expect(days.reduce((sum, { span }) => sum + span, 0)).toBe(14);
  for (const { minutes } of days) expect(minutes).toBeLessThanOrEqual(20.001);
});

test("cards that don't fit are reported as unseen", () => {
  const { unseenAtExam, recall } = planned({ cards: newCards(2000), minutesPerDay: 5 });
  // 14 days of 5 minutes are 4,200 seconds, and a new card takes about twenty seconds.
  expect(unseenAtExam).toBeGreaterThan(1550);
  expect(recall).toBeLessThan(0.2);
});

test("more minutes never worsen the forecast", () => {
  const cards = [...newCards(150), ...knownCards(50)];
  const recalls = [2, 5, 10, 20, 40].map((minutesPerDay) => planned({ cards, minutesPerDay }).recall);
  for (const [at, recall] of recalls.entries()) expect(recall).toBeGreaterThan((recalls[at - 1] ?? 0) - 0.01);
});

test("today's cards fill today's minutes, without those already studied today", () => {
  const cards = [...newCards(300), ...knownCards(100)];
  const { today } = planned({ cards, minutesPerDay: 15 });
  const fresh = today.filter(({ schedule }) => !schedule).length;
  expect(fresh * 18.4 + (today.length - fresh) * 9).toBeGreaterThan(10 * 60);
  expect(fresh * 18.4 + (today.length - fresh) * 8).toBeLessThan(16 * 60);
  const studied = new Map(
    today.map(({ cardId, schedule }) => [
      cardId,
      { ...schedule, ...replay([{ _id: "r", cardId, componentId: "deck", grade: 4, reviewedAt: NOW }]) },
    ]),
  );
  const later = planned({
    cards: cards.map((card) => ({
      ...card,
      schedule: (studied.get(card.cardId) as ExamCard["schedule"]) ?? card.schedule,
    })),
    minutesPerDay: 15,
    now: NOW + 3_600_000,
  });
  expect(later.today.filter(({ cardId }) => studied.has(cardId))).toEqual([]);
  expect(later.today.length).toBeLessThan(today.length / 4);
});

test("new cards are introduced in deck order", () => {
  const fresh = planned({ cards: newCards(300) }).today.map(({ cardId }) => cardId);
  expect(fresh).toEqual(newCards(fresh.length).map(({ cardId }) => cardId));
});

test("an exam later today is planned within today's minutes", () => {
  const { days, daysLeft, today } = planned({ examAt: NOW + 4 * 3_600_000 });
  expect({ daysLeft, days: days.length }).toEqual({ daysLeft: 0, days: 1 });
  expect(today.length).toBeGreaterThan(20);
});

test("an exam years away can be planned", () => {
  const { days, recall } = planned({ examAt: STARTS_AT + 1500 * DAY_MS, minutesPerDay: 1 });
  expect(days.reduce((sum, { span }) => sum + span, 0)).toBe(1500);
  expect(recall).toBeGreaterThan(0.5);
});

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const students = (minutesPerDay: number) =>
  Array.from({ length: 4 }, (_, at) => ({ ...drawStudent(at + 1), days: 9, cards: 120, minutesPerDay }));

const recallBy = (policy: Policy) => mean(students(7).map((student) => prepare(student, policy).recall));

test("students with little time remember more on exam day with the plan than with plain FSRS in the same minutes", () => {
  expect(recallBy("plan")).toBeGreaterThan(recallBy("fsrs_all_new") + 0.03);
});

test("students with enough time remember about as much on exam day as the plan forecast on its first day", () => {
  const results = students(20).map((student) => prepare(student, "plan"));
  for (const { recall, forecast } of results) expect(Math.abs(recall - forecast)).toBeLessThan(0.08);
});
