import { writeCalendarFile } from "#shared/connections/icalendar.ts";

/** What a plan is made from. Days are `2026-11-23`. */
export interface PlanRequest {
  start: string;
  exam: string;
  topics: readonly PlanTopic[];
  /** Minutes by day of the week, Monday first. */
  minutes: readonly number[];
  withReviews: boolean;
}

export interface PlanTopic {
  name: string;
  /** How much time compared with the others. */
  weight: number;
}

export interface PlanSession {
  topic: string;
  kind: "learn" | "review";
  minutes: number;
}

export interface PlanDay {
  day: string;
  sessions: PlanSession[];
}

const DAY_MS = 86_400_000;
/** Sessions are multiples of this, so that a plan can be followed with a clock. */
const STEP_MINUTES = 5;
const MIN_REVIEW_MINUTES = 10;
/** The share of all time for learning what is new; the rest is for reviews. */
const LEARN_SHARE = 0.6;
/** A review takes this share of the time that learning the topic took. */
const REVIEW_SHARE = 0.2;
const REVIEW_AFTER_DAYS = [1, 3, 7] as const;
/** Reviews that are due, except the first of a topic, take at most this share of a day while there is something new. */
const MAX_DUE_SHARE = 0.5;
/** A plan covers at most this many days and topics. */
export const MAX_PLAN_DAYS = 366;
export const MAX_PLAN_TOPICS = 60;

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const countDays = ({ start, exam }: Pick<PlanRequest, "start" | "exam">) =>
  Math.round((Date.parse(exam) - Date.parse(start)) / DAY_MS);
const toStep = (minutes: number) => Math.round(minutes / STEP_MINUTES) * STEP_MINUTES;

/** Days from `start` up to the day before the exam on which there is time. */
export function studyDays({ start, exam, minutes }: PlanRequest): { day: string; minutes: number }[] {
  const first = Date.parse(start);
  const count = Math.min(MAX_PLAN_DAYS, countDays({ start, exam }));
  // Without a valid date the count is NaN.
  return Array.from({ length: Number.isFinite(count) ? Math.max(0, count) : 0 }, (_, index) => {
    const time = first + index * DAY_MS;
    return { day: toDay(time), minutes: minutes[(new Date(time).getUTCDay() + 6) % 7] ?? 0 };
  }).filter((one) => one.minutes > 0);
}

interface TopicState {
  name: string;
  toLearn: number;
  reviewMinutes: number;
  /** Index of the last study day on which it was met; -1 before. */
  lastMet: number;
  /** Days on which a review is due. */
  due: string[];
}

const sumMinutes = (days: readonly { minutes: number }[]) => days.reduce((sum, { minutes }) => sum + minutes, 0);

/** A plan that fills each day: reviews that are due, then what is new, then what was met longest ago. */
export function makePlan(request: PlanRequest): PlanDay[] {
  const days = studyDays(request);
  const total = sumMinutes(days);
  const weights = request.topics.reduce((sum, { weight }) => sum + weight, 0);
  const budget = request.withReviews ? total * LEARN_SHARE : total;
  const states = request.topics.map(({ name, weight }): TopicState => {
    const toLearn = Math.max(STEP_MINUTES, toStep((budget * weight) / weights));
    const reviewMinutes = Math.max(MIN_REVIEW_MINUTES, toStep(toLearn * REVIEW_SHARE));
    return { name, toLearn, reviewMinutes, lastMet: -1, due: [] };
  });
  return days.map(({ day, minutes }, index) => ({
    day,
    sessions: new DayPlan({ day, index, minutes, minutesLater: sumMinutes(days.slice(index + 1)) }, states).fill(
      request.withReviews,
    ),
  }));
}

interface StudyDay {
  day: string;
  index: number;
  minutes: number;
  /** Minutes of all study days after this one. */
  minutesLater: number;
}

class DayPlan {
  readonly #at: StudyDay;
  readonly #states: readonly TopicState[];
  readonly #sessions: PlanSession[] = [];
  #left: number;

  constructor(at: StudyDay, states: readonly TopicState[]) {
    this.#at = at;
    this.#states = states;
    this.#left = at.minutes;
  }

  fill(withReviews: boolean): PlanSession[] {
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

/** What a plan leaves out: topics after the last one that it covers, and days right before the exam. */
export const countLeftOut = (topics: string, period: Pick<PlanRequest, "start" | "exam">) => ({
  topics: Math.max(0, listLines(topics).length - MAX_PLAN_TOPICS),
  days: Math.max(0, countDays(period) - MAX_PLAN_DAYS),
});

interface PlanEvent {
  day: string;
  summary: string;
  description: string;
}

/** A short hash of a text (FNV-1a, 32 bits) in letters and digits. */
function hashText(text: string, seed: number): string {
  let hash = 0x811c9dc5 ^ seed;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}

/**
 * The plan as a calendar file of whole days. The ids of the events depend on the topics and the exam: the same plan gives
 * the same events again, also with other hours, and another plan replaces none of them.
 */
export function writeStudyCalendar(
  { topics, exam }: Pick<PlanRequest, "topics" | "exam">,
  events: readonly PlanEvent[],
  stampedAt: number,
): string {
  const identity = JSON.stringify([exam, ...topics.map(({ name, weight }) => [name, weight])]);
  const plan = hashText(identity, 0) + hashText(identity, 1);
  const withIds = events.map((event) => ({ ...event, uid: `${event.day.replaceAll("-", "")}-${plan}@lamplight` }));
  return writeCalendarFile(withIds, stampedAt);
}
