import { costOf, daysUntilExam, type Origin, type Pace, type Step } from "./dynamic-programming.ts";
import { distribute, ExamMemory, type Memory, toGridPosition, STATES } from "./memory.ts";
import { solveExamProblem, type ExamSolution } from "./lagrange-multipliers.ts";
import { NEW_CARD_ANSWERS, USUAL_SECONDS } from "../day.ts";
import { defaultParams, isLearning, type StudyParams } from "../rules.ts";
import type { Schedule } from "../schema.ts";

const DAY_MS = 86_400_000;
const MAX_STEPS = 40;
/** The repeated answer to a forgotten card takes a little longer than its first. */
const LAPSE_FACTOR = 1.1;
/** A review today must raise the expected number of remembered cards by this much to be planned. */
const MIN_GAIN = 0.001;
/** This close to the exam every day is a step of its own. */
const NEAR_DAYS = 14;

/** A card of one of the exam's decks; a new card has no schedule. */
export interface ExamCard {
  cardId: string;
  componentId: string;
  schedule: Schedule | undefined;
}

export interface ExamPlanInput {
  /** In the order in which new cards are introduced. */
  cards: readonly ExamCard[];
  /** The start of today's study day. */
  startsAt: number;
  now: number;
  examAt: number;
  minutesPerDay: number;
  params?: StudyParams;
  /** This student's average time per answer. */
  secondsPerReview?: number | undefined;
}

export interface ExamDay {
  /** Study days from today. */
  day: number;
  /** Number of days that this entry covers. */
  span: number;
  /** Cards, new cards and minutes are averages per day. */
  cards: number;
  fresh: number;
  minutes: number;
}

export interface ExamPlan {
  state: "planned";
  /** Cards to study today, best first, without those already studied. */
  today: ExamCard[];
  /** Expected time for these cards. */
  minutesToday: number;
  /** Study days from today until the exam. */
  daysLeft: number;
  /** Expected share of all cards remembered at the exam: with the plan, and without any further review. */
  recall: number;
  recallIdle: number;
  days: ExamDay[];
  /** New cards for which there is no time before the exam. */
  unseenAtExam: number;
}

export type ExamOutcome = ExamPlan | { state: "past" | "no_minutes" | "no_cards" };

export function paceOf(secondsPerReview: number = USUAL_SECONDS): Pace {
  return {
    review: secondsPerReview,
    lapse: secondsPerReview * LAPSE_FACTOR,
    fresh: secondsPerReview * NEW_CARD_ANSWERS,
  };
}

/** The plan's steps until the exam. */
function stepsUntil(examDay: number, minutesPerDay: number, usedSeconds: number): Step[] {
  const days = Math.max(1, examDay);
  const coarse = days - 1 - NEAR_DAYS;
  const parts = days <= MAX_STEPS ? coarse : MAX_STEPS - 1 - NEAR_DAYS;
  const starts = [0];
  for (let part = 0; part < Math.max(0, parts); part += 1) starts.push(1 + Math.round((coarse * part) / parts));
  for (let day = Math.max(1, days - NEAR_DAYS); day < days; day += 1) starts.push(day);
  return starts.map((start, at) => {
    const span = (starts[at + 1] ?? days) - start;
    const seconds = minutesPerDay * 60 * span - (at === 0 ? usedSeconds : 0);
    return { day: start + Math.floor((span - 1) / 2), seconds: Math.max(1, seconds), span };
  });
}

const memoryOf = ({ stability, difficulty }: Schedule): Memory => ({ stability, difficulty });
const elapsedOf = (schedule: Schedule, startsAt: number) =>
  Math.max(0, Math.ceil((startsAt - (schedule.lastReviewedAt ?? startsAt)) / DAY_MS));

/** Groups elapsed days; the longer ago they are, the coarser the groups. */
const bucketElapsedDays = (days: number) =>
  days < 8 ? days : Math.round(1.3 ** Math.round(Math.log(days) / Math.log(1.3)));

function originsOf(cards: readonly ExamCard[], startsAt: number): Origin[] {
  const origins = new Map<number, Origin>();
  for (const { schedule } of cards) {
    if (!schedule) continue;
    const ago = bucketElapsedDays(elapsedOf(schedule, startsAt));
    const origin = origins.get(ago) ?? { ago, mass: new Float64Array(STATES) };
    origins.set(ago, origin);
    distribute(origin.mass, toGridPosition(memoryOf(schedule)), 1);
  }
  return [...origins.values()];
}

/** Estimated time of today's answers so far. */
function secondsUsedToday(cards: readonly ExamCard[], startsAt: number, pace: Pace): number {
  return cards.reduce((sum, { schedule }) => {
    if ((schedule?.lastReviewedAt ?? 0) < startsAt) return sum;
    return sum + ((schedule?.firstReviewedAt ?? 0) >= startsAt ? pace.fresh : pace.review);
  }, 0);
}

/**
 * Plans how to use the daily study minutes so that as much as possible is remembered at the exam. It is recomputed from the
 * cards' current state on every call, so missed days are already accounted for.
 */
export function planExam(input: ExamPlanInput): ExamOutcome {
  const { cards, startsAt, now, examAt, minutesPerDay, params = defaultParams, secondsPerReview } = input;
  if (cards.length === 0) return { state: "no_cards" };
  if (examAt <= now) return { state: "past" };
  if (!(minutesPerDay > 0)) return { state: "no_minutes" };
  const pace = paceOf(secondsPerReview);
  const examDay = Math.max(0, Math.floor((examAt - startsAt) / DAY_MS));
  const steps = stepsUntil(examDay, minutesPerDay, secondsUsedToday(cards, startsAt, pace));
  const memory = new ExamMemory(params);
  const unseen = cards.filter(({ schedule }) => !schedule).length;
  const origins = originsOf(cards, startsAt);
  const solution = solveExamProblem({ memory, steps, examDay, pace, origins, unseen });
  const newCards = solution.fresh.reduce((sum, count) => sum + count, 0);
  return {
    state: "planned",
    ...chooseToday(input, solution, { memory, pace, seconds: steps[0]?.seconds ?? 0 }),
    daysLeft: examDay,
    recall: solution.remembered / cards.length,
    recallIdle: idleRecall(input, memory, examDay) / cards.length,
    days: steps.map(({ day, span }, at) => ({
      day,
      span,
      cards: (solution.reviewed[at] ?? 0) / span,
      fresh: (solution.fresh[at] ?? 0) / span,
      minutes: (solution.load[at] ?? 0) / span / 60,
    })),
    unseenAtExam: Math.max(0, Math.round(unseen - newCards)),
  };
}

/** Cards expected to be remembered without any further review. */
function idleRecall({ cards, startsAt }: ExamPlanInput, memory: ExamMemory, examDay: number): number {
  const recall = (schedule: Schedule) =>
    memory.recall(memoryOf(schedule), elapsedOf(schedule, startsAt) + daysUntilExam(examDay, 0));
  return cards.reduce((sum, { schedule }) => sum + (schedule ? recall(schedule) : 0), 0);
}

interface DayBudget {
  memory: ExamMemory;
  pace: Pace;
  seconds: number;
}

/**
 * Takes cards by gain per second until the day is full. Cards in a learning step are not chosen here, because the session
 * shows them in any case.
 */
function chooseToday(
  { cards, startsAt }: ExamPlanInput,
  { gainOf }: ExamSolution,
  { memory, pace, seconds }: DayBudget,
) {
  const newCard = { gainPerSecond: gainOf("new"), cost: pace.fresh };
  const candidates = cards.flatMap((card) => {
    const { schedule } = card;
    if (!schedule) return newCard.gainPerSecond > 0 ? { card, ...newCard } : [];
    const ago = elapsedOf(schedule, startsAt);
    if (ago === 0 || isLearning(schedule)) return [];
    const gainPerSecond = gainOf({ memory: memoryOf(schedule), ago });
    const cost = costOf(memory.recall(memoryOf(schedule), ago), pace);
    return gainPerSecond * cost > MIN_GAIN ? { card, gainPerSecond, cost } : [];
  });
  let left = seconds;
  const chosen = candidates
    .toSorted((a, b) => b.gainPerSecond - a.gainPerSecond)
    .filter(({ cost }) => {
      if (left < cost / 2) return false;
      left -= cost;
      return true;
    });
  return { today: chosen.map(({ card }) => card), minutesToday: (seconds - left) / 60 };
}
