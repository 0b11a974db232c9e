import { default_w, fsrs, type FSRS } from "ts-fsrs";
import { planExam } from "#shared/study/exam/plan.ts";
import { advance, isLearning, retrievability } from "#shared/study/rules.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";
import { dueQueue } from "#shared/study/session.ts";

/**
 * Simulated students who prepare for an exam. Their memory follows FSRS-6 with parameters of their own that no policy
 * knows: a policy sees only the grades, through the product's own rules. `docs/study.md` lists the assumptions.
 */
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const STARTS_AT = Date.UTC(2026, 8, 1, 4);
const EVENING_MS = 13 * HOUR_MS;
const STEP_MS = 600_000;

export type Policy = "plan" | "fsrs" | "fsrs_all_new" | "fsrs_ahead";

/** Seconds that a policy may use on each day, instead of the student's minutes. */
export type Budget = readonly number[];

export interface ExamStudent {
  seed: number;
  cards: number;
  /** Share of the cards that were studied before. */
  known: number;
  days: number;
  minutesPerDay: number;
}

export interface ExamResult {
  /** Mean of the true chance to remember each card at the exam. */
  recall: number;
  minutes: number;
  /** Seconds used on each day. */
  daily: number[];
  /** The recall that the plan forecast on its first day. */
  forecast: number;
  seen: number;
}

/** Numbers from 0 up to 1 (mulberry32). */
export function chances(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const normal = (chance: () => number) =>
  Math.sqrt(-2 * Math.log(Math.max(1e-12, chance()))) * Math.cos(2 * Math.PI * chance());

export function drawStudent(seed: number): ExamStudent {
  const chance = chances(seed * 7919 + 1);
  const between = (low: number, high: number) => low + chance() * (high - low);
  return {
    seed,
    cards: Math.round(between(80, 400)),
    known: chance() < 0.5 ? 0 : between(0.2, 0.8),
    days: Math.round(between(4, 21)),
    minutesPerDay: Math.round(between(4, 25)),
  };
}

interface Card {
  id: string;
  /** The student's true memory of the card; null before the first answer. */
  truth: { stability: number; difficulty: number } | null;
  seenAt: number;
  /** Difficulty that the first grade does not reveal. */
  hardness: number;
  schedule: Schedule | undefined;
}

class Simulation {
  readonly #chance: () => number;
  readonly #mind: FSRS;
  readonly #pace: number;
  readonly cards: Card[];
  now = STARTS_AT;
  seconds = 0;
  #answers = { count: 0, seconds: 0 };

  constructor({ seed, cards, known }: ExamStudent) {
    const chance = chances(seed);
    const weights = [...default_w];
    const own = Math.exp(0.35 * normal(chance));
    for (let at = 0; at < 4; at += 1) weights[at] = (weights[at] ?? 0) * own;
    weights[8] = (weights[8] ?? 0) + 0.15 * normal(chance);
    weights[20] = Math.max(0.08, (weights[20] ?? 0) * Math.exp(0.2 * normal(chance)));
    this.#chance = chance;
    this.#mind = fsrs({ w: weights, enable_fuzz: false });
    this.#pace = 8 * Math.exp(0.2 * normal(chance));
    this.cards = Array.from({ length: cards }, (_, at) => ({
      id: `card-${at}`,
      truth: null,
      seenAt: 0,
      hardness: 1.2 * normal(chance),
      schedule: undefined,
    }));
    for (const card of this.cards.slice(0, Math.round(cards * known))) this.#reviewBeforePlan(card);
  }

  /** Reviews a card before the plan: first some weeks ago, then near its due dates. */
  #reviewBeforePlan(card: Card): void {
    this.now = STARTS_AT - (3 + Math.floor(this.#chance() * 40)) * DAY_MS;
    while (this.now < STARTS_AT - DAY_MS) {
      this.ask(card);
      while (card.schedule && isLearning(card.schedule)) this.ask(card);
      this.now += Math.max(1, Math.round((card.schedule?.scheduledDays ?? 1) * (0.7 + this.#chance()))) * DAY_MS;
    }
  }

  #firstGrade(card: Card): Grade {
    const ease = this.#chance() * 4 - 0.35 * card.hardness;
    return ease < 0.8 ? 1 : ease < 1.2 ? 2 : ease < 3.6 ? 3 : 4;
  }

  #laterGrade({ truth, seenAt }: Card): Grade {
    const recall = truth ? this.#mind.forgetting_curve((this.now - seenAt) / DAY_MS, truth.stability) : 0;
    if (this.#chance() > recall) return 1;
    const ease = this.#chance();
    return ease < 0.1 ? 2 : ease < 0.9 ? 3 : 4;
  }

  /** Asks one card, and counts the time of the answer. */
  ask(card: Card): void {
    const isFirst = card.truth === null;
    const grade = isFirst ? this.#firstGrade(card) : this.#laterGrade(card);
    const days = Math.round((this.now - card.seenAt) / DAY_MS);
    const memory = this.#mind.next_state(card.truth, isFirst ? 0 : days, grade);
    if (isFirst) memory.difficulty = Math.min(10, Math.max(1, memory.difficulty + card.hardness));
    card.truth = memory;
    card.seenAt = this.now;
    const review = { _id: `${card.id}-${this.now}`, cardId: card.id, componentId: "deck", grade, reviewedAt: this.now };
    card.schedule = advance(card.schedule, review);
    const seconds = this.#pace * (isFirst ? 1.4 : grade === 1 ? 1.3 : 1) * Math.exp(0.3 * normal(this.#chance));
    this.seconds += seconds;
    this.#answers = { count: this.#answers.count + 1, seconds: this.#answers.seconds + seconds };
  }

  /** The pace as the product measures it; undefined before the first answer. */
  get secondsPerReview(): number | undefined {
    return this.#answers.count === 0 ? undefined : this.#answers.seconds / this.#answers.count;
  }

  /** Asks the cards in order, each until its learning steps end, until the time is used up. */
  study(ids: readonly string[], untilSeconds: number): void {
    const cards = new Map(this.cards.map((card) => [card.id, card]));
    for (const id of ids) {
      const card = cards.get(id);
      if (!card || this.seconds >= untilSeconds) return;
      const begunAt = this.now;
      do {
        this.ask(card);
        this.now += STEP_MS;
      } while (card.schedule && isLearning(card.schedule) && this.seconds < untilSeconds);
      this.now = begunAt;
    }
  }

  recallAt(moment: number): number {
    const recalls = this.cards.map(({ truth, seenAt }) =>
      truth ? this.#mind.forgetting_curve((moment - seenAt) / DAY_MS, truth.stability) : 0,
    );
    return recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
  }
}

/** The cards that a policy asks on a day, in order. Every policy starts with the learning steps left from the day before. */
function queueOf(policy: Policy, simulation: Simulation, terms: { minutesPerDay: number; examAt: number }) {
  const startsAt = simulation.now - EVENING_MS;
  const ids = simulation.cards.map(({ id }) => id);
  const schedules = new Map(
    simulation.cards.flatMap(({ id, schedule }) => (schedule ? [[id, schedule] as const] : [])),
  );
  const day = { now: simulation.now, startsAt, endsAt: startsAt + DAY_MS };
  const newLimit = policy === "fsrs" ? 20 : Number.POSITIVE_INFINITY;
  const { learning, review, fresh } = dueQueue(ids, schedules, day, { newLimit });
  const steps = learning.map(({ cardId }) => cardId);
  if (policy === "plan") {
    const cards = simulation.cards.map(({ id, schedule }) => ({ cardId: id, componentId: "deck", schedule }));
    const { now, secondsPerReview } = simulation;
    const plan = planExam({ cards, startsAt, now, secondsPerReview, ...terms });
    if (plan.state !== "planned") return { ids: [], forecast: 0 };
    return { ids: [...steps, ...plan.today.map(({ cardId }) => cardId)], forecast: plan.recall };
  }
  const due = [...steps, ...review, ...fresh];
  if (policy !== "fsrs_ahead") return { ids: due, forecast: 0 };
  const taken = new Set(due);
  const ahead = [...schedules.values()]
    .filter(({ cardId }) => !taken.has(cardId))
    .toSorted((a, b) => retrievability(a, simulation.now) - retrievability(b, simulation.now));
  return { ids: [...due, ...ahead.map(({ cardId }) => cardId)], forecast: 0 };
}

/** Prepares one student for the exam by one policy, within the student's minutes or those of a budget. */
export function prepare(student: ExamStudent, policy: Policy, budget?: Budget): ExamResult {
  const simulation = new Simulation(student);
  const { days, minutesPerDay } = student;
  const examAt = STARTS_AT + days * DAY_MS + 5 * HOUR_MS;
  simulation.seconds = 0;
  let forecast = 0;
  const daily: number[] = [];
  for (let day = 0; day < days; day += 1) {
    simulation.now = STARTS_AT + day * DAY_MS + EVENING_MS;
    const queue = queueOf(policy, simulation, { minutesPerDay, examAt });
    if (day === 0) forecast = queue.forecast;
    simulation.seconds = 0;
    simulation.study(queue.ids, budget ? (budget[day] ?? 0) : minutesPerDay * 60);
    daily.push(simulation.seconds);
  }
  const seen = simulation.cards.filter(({ truth }) => truth).length;
  const minutes = daily.reduce((sum, seconds) => sum + seconds, 0) / 60;
  return { recall: simulation.recallAt(examAt), minutes, daily, forecast, seen: seen / student.cards };
}
