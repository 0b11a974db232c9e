import { allocateDays, STEP_MINUTES, toDay, toStep, type DayShare } from "./allocate-days.ts";

/** What a plan is made from. Days are `2026-11-23`. */
export interface PlanRequest {
  start: string;
  exams: readonly PlanExam[];
  /** Minutes by day of the week, Monday first. */
  minutes: readonly number[];
  withReviews: boolean;
}

export interface PlanExam {
  name: string;
  /** The day of the exam. */
  exam: string;
  topics: readonly PlanTopic[];
}

export interface PlanTopic {
  name: string;
  /** How much time compared with the others. */
  weight: number;
}

export interface PlanSession {
  /** Position of the exam in the request. */
  exam: number;
  topic: string;
  kind: "learn" | "review";
  minutes: number;
}

export interface PlanDay {
  day: string;
  sessions: PlanSession[];
}

const DAY_MS = 86_400_000;
const MIN_REVIEW_MINUTES = 10;
/** The share of all time for learning what is new; the rest is for reviews. */
const LEARN_SHARE = 0.6;
/** A review takes this share of the time that learning the topic took. */
const REVIEW_SHARE = 0.2;
const REVIEW_AFTER_DAYS = [1, 3, 7] as const;
/** Reviews that are due, except the first of a topic, take at most this share of a day while there is something new. */
const MAX_DUE_SHARE = 0.5;
/** A plan has at most this many topics for each exam. */
export const MAX_PLAN_TOPICS = 60;

interface TopicState {
  name: string;
  toLearn: number;
  reviewMinutes: number;
  /** Index of the last study day on which it was met; -1 before. */
  lastMet: number;
  /** Days on which a review is due. */
  due: string[];
}

const sumWeights = (topics: readonly PlanTopic[]) => topics.reduce((sum, { weight }) => sum + weight, 0);
const sumMinutes = (days: readonly Pick<DayShare, "minutes">[]) => days.reduce((sum, { minutes }) => sum + minutes, 0);

/** The study days of each exam, with the minutes that it gets of them. */
export const allocatePlan = ({ start, exams, minutes }: Omit<PlanRequest, "withReviews">): DayShare[][] =>
  allocateDays({ start, minutes, exams: exams.map(({ exam, topics }) => ({ exam, weight: sumWeights(topics) })) });

type ExamSession = Omit<PlanSession, "exam">;

/**
 * A plan that fills each day. The exams share the days (`allocate-days.ts`), and the time of an exam goes to reviews that are
 * due, then to what is new, then to what was met longest ago.
 */
export function makePlan({ withReviews, ...request }: PlanRequest): PlanDay[] {
  const plan = new Map<string, PlanSession[]>();
  for (const [exam, days] of allocatePlan(request).entries()) {
    const { topics = [] } = request.exams[exam] ?? {};
    for (const { day, sessions } of planExam(days, topics, withReviews))
      plan.set(day, [...(plan.get(day) ?? []), ...sessions.map((session) => ({ exam, ...session }))]);
  }
  return [...plan].map(([day, sessions]) => ({ day, sessions })).toSorted((a, b) => a.day.localeCompare(b.day));
}

function planExam(days: readonly DayShare[], topics: readonly PlanTopic[], withReviews: boolean) {
  const total = sumMinutes(days);
  const weights = sumWeights(topics);
  const budget = withReviews ? total * LEARN_SHARE : total;
  const states = topics.map(({ name, weight }): TopicState => {
    const toLearn = Math.max(STEP_MINUTES, toStep((budget * weight) / weights));
    const reviewMinutes = Math.max(MIN_REVIEW_MINUTES, toStep(toLearn * REVIEW_SHARE));
    return { name, toLearn, reviewMinutes, lastMet: -1, due: [] };
  });
  return days.map(({ day, minutes }, index) => ({
    day,
    sessions: new DayPlan({ day, index, minutes, minutesLater: sumMinutes(days.slice(index + 1)) }, states).fill(
      withReviews,
    ),
  }));
}

interface PlannedDay extends DayShare {
  index: number;
  /** Minutes of all study days after this one. */
  minutesLater: number;
}

class DayPlan {
  readonly #at: PlannedDay;
  readonly #states: readonly TopicState[];
  readonly #sessions: ExamSession[] = [];
  #left: number;

  constructor(at: PlannedDay, states: readonly TopicState[]) {
    this.#at = at;
    this.#states = states;
    this.#left = at.minutes;
  }

  fill(withReviews: boolean): ExamSession[] {
    if (withReviews) this.#addDue();
    this.#addNew();
    if (withReviews) this.#addOldest();
    return this.#sessions;
  }

  #add(state: TopicState, kind: PlanSession["kind"], wanted: number): number {
    const minutes = Math.min(this.#left, wanted);
    if (minutes < STEP_MINUTES) return 0;
    const same = this.#sessions.find((one) => one.topic === state.name && one.kind === kind);
    if (same) same.minutes += minutes;
    else this.#sessions.push({ topic: state.name, kind, minutes });
    this.#left -= minutes;
    state.lastMet = this.#at.index;
    return minutes;
  }

  /**
   * Adds the due reviews, a topic's first review before later ones. Both leave time for the new topics that do not fit
   * into later days; later reviews also leave half of the day.
   */
  #addDue(): void {
    const { day, minutes, minutesLater } = this.#at;
    const minutesToLearn = this.#states.reduce((sum, { toLearn }) => sum + toLearn, 0);
    const newTopicShare = minutesToLearn > 0 ? minutes * (1 - MAX_DUE_SHARE) : 0;
    const mustLearnToday = Math.max(0, minutesToLearn - minutesLater * LEARN_SHARE);
    const due = this.#states.filter(({ due: [next] }) => next !== undefined && next <= day);
    // Both lists exist before the reviews, which remove the first due date.
    const first = due.filter(hasHadNoReview);
    const later = due.filter((one) => !hasHadNoReview(one));
    for (const state of first) this.#review(state, mustLearnToday);
    for (const state of later) this.#review(state, Math.max(newTopicShare, mustLearnToday));
  }

  /** Adds a review that is due, if it leaves this many minutes of the day. */
  #review(state: TopicState, reserved: number): void {
    if (this.#left - state.reviewMinutes < reserved) return;
    if (this.#add(state, "review", state.reviewMinutes) > 0) state.due.shift();
  }

  #addNew(): void {
    for (const state of this.#states) {
      if (state.toLearn <= 0) continue;
      state.toLearn -= this.#add(state, "learn", state.toLearn);
      if (state.toLearn > 0) return;
      const learned = Date.parse(this.#at.day);
      state.due = REVIEW_AFTER_DAYS.map((after) => toDay(learned + after * DAY_MS));
    }
  }

  /**
   * If no new topics remain, the rest of the day is for reviews of the topics studied longest ago, and any remaining
   * time extends the longest review.
   */
  #addOldest(): void {
    const learned = this.#states.filter(({ toLearn, lastMet }) => toLearn <= 0 && lastMet < this.#at.index);
    for (const state of learned.toSorted((a, b) => a.lastMet - b.lastMet))
      this.#add(state, "review", state.reviewMinutes);
    const [longest] = this.#sessions.filter(({ kind }) => kind === "review").toSorted((a, b) => b.minutes - a.minutes);
    const isNewLeft = this.#states.some(({ toLearn }) => toLearn > 0);
    if (longest && !isNewLeft && this.#left >= STEP_MINUTES) longest.minutes += this.#left;
  }
}

const hasHadNoReview = ({ due }: TopicState) => due.length === REVIEW_AFTER_DAYS.length;

const listLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);

/** "Genetics x2" counts twice. */
export const parseTopics = (text: string): PlanTopic[] =>
  listLines(text)
    .slice(0, MAX_PLAN_TOPICS)
    .map((line) => {
      const [, name = line, weight] = /^(.*?)\s+[x×]\s?(\d(?:[.,]\d)?)$/i.exec(line) ?? [];
      return { name, weight: Math.max(0.1, Number((weight ?? "1").replace(",", "."))) };
    });

/** How many topics after the last one of the plan are left out. */
export const countTopicsLeftOut = (topics: string): number => Math.max(0, listLines(topics).length - MAX_PLAN_TOPICS);
