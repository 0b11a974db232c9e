import { createEmptyCard, fsrs, get_fuzz_range, State, type Card, type FSRS } from "ts-fsrs";
import type { Grade, MemorySeed, Review, Schedule } from "./schema.ts";

/** The share of due cards that should still be remembered. */
export const DESIRED_RETENTION = 0.9;
/** Right answers in a row after which a card is no longer hard. */
const RIGHT_ANSWERS_TO_EASE = 3;
export const GRADES = [1, 2, 3, 4] as const satisfies readonly Grade[];
export const GRADE_NAMES = { 1: "again", 2: "hard", 3: "good", 4: "easy" } as const satisfies Record<Grade, string>;

export interface StudyParams {
  desiredRetention: number;
  /** FSRS-6 weights fitted to the student; omitted for the defaults. */
  weights?: readonly number[] | null;
}
export const defaultParams: StudyParams = { desiredRetention: DESIRED_RETENTION };

const schedulers = new WeakMap<StudyParams, FSRS>();

// Without FSRS's random fuzz, because every device must derive the same schedule from the same reviews.
function schedulerFor(params: StudyParams): FSRS {
  const known = schedulers.get(params);
  if (known) return known;
  const made = fsrs(toFsrsParams(params));
  schedulers.set(params, made);
  return made;
}

/** The parameters under their ts-fsrs names. */
export function toFsrsParams({ desiredRetention, weights }: StudyParams) {
  return {
    request_retention: desiredRetention,
    enable_fuzz: false,
    enable_short_term: true,
    ...(weights ? { w: [...weights] } : {}),
  };
}

const stateNames = {
  [State.New]: "new",
  [State.Learning]: "learning",
  [State.Review]: "review",
  [State.Relearning]: "relearning",
} as const;
const stateNumbers = {
  new: State.New,
  learning: State.Learning,
  review: State.Review,
  relearning: State.Relearning,
} as const;

function toMemory(schedule: Schedule | undefined, now: number): Card {
  if (!schedule || schedule.lastReviewedAt === null) return createEmptyCard(new Date(now));
  return {
    due: new Date(schedule.dueAt),
    stability: schedule.stability,
    difficulty: schedule.difficulty,
    // ts-fsrs computes elapsed days from `last_review`; this field is only an output.
    elapsed_days: 0,
    scheduled_days: schedule.scheduledDays,
    learning_steps: schedule.learningStep,
    reps: schedule.reps,
    lapses: schedule.lapses,
    state: stateNumbers[schedule.state],
    last_review: new Date(schedule.lastReviewedAt),
  };
}

type Answered = Pick<Review, "_id" | "cardId" | "componentId" | "grade" | "reviewedAt" | "intervalDays" | "seed">;

/** Sorts by time, then by id, so that every device replays the reviews in the same order. */
export function inReviewOrder<R extends Pick<Review, "_id" | "reviewedAt">>(reviews: readonly R[]): R[] {
  return reviews.toSorted((a, b) => a.reviewedAt - b.reviewedAt || (a._id < b._id ? -1 : a._id > b._id ? 1 : 0));
}

/** The union of two devices' reviews, each review once. */
export function mergeReviews<R extends Pick<Review, "_id" | "reviewedAt">>(a: readonly R[], b: readonly R[]): R[] {
  return inReviewOrder([...new Map([...a, ...b].map((review) => [review._id, review])).values()]);
}

const DAY_MS = 86_400_000;
const LONGEST_INTERVAL_DAYS = 36_500;
/** Shorter intervals are not fuzzed, as in FSRS. */
const MIN_FUZZ_DAYS = 2.5;

/** The fuzz range: first and last day on which a card with this interval may be due, in days from its review. */
export function intervalRange(scheduledDays: number, schedule: Schedule | undefined, reviewedAt: number) {
  if (scheduledDays < MIN_FUZZ_DAYS) return { min: scheduledDays, max: scheduledDays };
  const elapsedDays = Math.max(0, Math.floor((reviewedAt - (schedule?.lastReviewedAt ?? reviewedAt)) / DAY_MS));
  const { min_ivl: min, max_ivl: max } = get_fuzz_range(scheduledDays, elapsedDays, LONGEST_INTERVAL_DAYS);
  return { min: Math.min(min, max), max };
}

/** A number from 0 up to 1 that is the same on every device for the same card and review (FNV-1a, 32 bits). */
function pseudoRandom(cardId: string, reps: number): number {
  let hash = 0x811c9dc5 ^ reps;
  for (let at = 0; at < cardId.length; at += 1) hash = Math.imul(hash ^ cardId.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** The final interval: the device's choice if it is within the range, otherwise a pseudo-random day of the range. */
function fuzzedDays(scheduledDays: number, review: Answered, before: Schedule | undefined): number {
  const { min, max } = intervalRange(scheduledDays, before, review.reviewedAt);
  const chosen = review.intervalDays;
  if (chosen !== undefined && chosen >= min && chosen <= max) return chosen;
  return min + Math.floor(pseudoRandom(review.cardId, before?.reps ?? 0) * (max - min + 1));
}

/** The schedule after a review with memory imported from another program. The memory replaces the answer. */
function importMemory(
  schedule: Schedule | undefined,
  { cardId, componentId, reviewedAt }: Answered,
  seed: MemorySeed,
): Schedule {
  const { state, dueAt, stability, difficulty, reps, lapses, scheduledDays } = seed;
  const lastReviewedAt = schedule?.lastReviewedAt ?? reviewedAt;
  const times = { dueAt, lastReviewedAt, firstReviewedAt: schedule?.firstReviewedAt ?? reviewedAt };
  const rightAnswersToGo = schedule?.rightAnswersToGo ?? 0;
  return {
    cardId,
    componentId,
    state,
    stability,
    difficulty,
    reps,
    lapses,
    learningStep: 0,
    scheduledDays,
    rightAnswersToGo,
    ...times,
  };
}

/** The schedule after one more review, which must not be older than the last. */
export function advance(
  schedule: Schedule | undefined,
  review: Answered,
  params: StudyParams = defaultParams,
): Schedule {
  const { cardId, componentId, grade, reviewedAt, seed } = review;
  if (seed) return importMemory(schedule, review, seed);
  const memory = schedulerFor(params).next(toMemory(schedule, reviewedAt), new Date(reviewedAt), grade).card;
  const isForDays = memory.state === State.Review && memory.scheduled_days > 0;
  const fuzzDays = isForDays ? fuzzedDays(memory.scheduled_days, review, schedule) - memory.scheduled_days : 0;
  return {
    cardId,
    componentId,
    state: stateNames[memory.state],
    dueAt: memory.due.getTime() + fuzzDays * DAY_MS,
    stability: memory.stability,
    difficulty: memory.difficulty,
    reps: memory.reps,
    lapses: memory.lapses,
    learningStep: memory.learning_steps,
    scheduledDays: memory.scheduled_days,
    lastReviewedAt: reviewedAt,
    firstReviewedAt: schedule?.firstReviewedAt ?? reviewedAt,
    rightAnswersToGo: grade === 1 ? RIGHT_ANSWERS_TO_EASE : Math.max(0, (schedule?.rightAnswersToGo ?? 0) - 1),
  };
}

/** The schedule of one card from all its reviews, in any order; undefined without reviews. */
export function replay(reviews: readonly Answered[], params: StudyParams = defaultParams): Schedule | undefined {
  return inReviewOrder(reviews).reduce<Schedule | undefined>(
    (schedule, review) => advance(schedule, review, params),
    undefined,
  );
}

/** The time of a new review: never before the card's last, even if another device's clock was ahead. */
export function reviewTime(schedule: Schedule | undefined, now: number): number {
  return Math.max(now, schedule?.lastReviewedAt ?? 0);
}

/** A device's clock may be ahead of the server's by this much before it counts as wrong. */
export const MAX_CLOCK_AHEAD_MS = 5 * 60_000;

/**
 * Moves a review that a device with a fast clock dated in the future back to the latest time that the server allows.
 */
export function clampToServerTime<R extends Pick<Review, "reviewedAt">>(review: R, serverNow: number): R {
  const latest = serverNow + MAX_CLOCK_AHEAD_MS;
  return review.reviewedAt <= latest ? review : { ...review, reviewedAt: latest };
}

/** The interval that a device would choose for a review; undefined if it has no preference. */
export type ChooseInterval = (range: { min: number; max: number }, scheduledDays: number) => number | undefined;

/** The review with the interval that its device chooses. */
export function withInterval<R extends Answered>(
  review: R,
  schedule: Schedule | undefined,
  choose: ChooseInterval | undefined,
  params: StudyParams = defaultParams,
): R {
  if (!choose) return review;
  const { state, scheduledDays } = advance(schedule, review, params);
  if (state !== "review" || scheduledDays < MIN_FUZZ_DAYS) return review;
  const range = intervalRange(scheduledDays, schedule, review.reviewedAt);
  // The ranges of two grades may overlap, but a better grade must not bring the card back sooner.
  const worse = review.grade > 2 ? { ...review, grade: (review.grade - 1) as Grade } : undefined;
  const atLeast = worse && withInterval(worse, schedule, choose, params).intervalDays;
  const min = Math.min(range.max, Math.max(range.min, atLeast ?? range.min));
  const intervalDays = choose({ min, max: range.max }, scheduledDays);
  return intervalDays === undefined ? review : { ...review, intervalDays };
}

/** When the card would be due after each of the four grades, in the order Again, Hard, Good, Easy. */
export function previewGrades(
  card: Pick<Review, "cardId" | "componentId">,
  { schedule, now, choose }: { schedule: Schedule | undefined; now: number; choose?: ChooseInterval | undefined },
  params: StudyParams = defaultParams,
): { grade: Grade; dueAt: number }[] {
  const reviewedAt = reviewTime(schedule, now);
  return GRADES.map((grade) => {
    const review = withInterval({ _id: "", ...card, grade, reviewedAt }, schedule, choose, params);
    return { grade, dueAt: advance(schedule, review, params).dueAt };
  });
}

/** After this many lapses, and again after every further half of this number, the card itself is the problem. */
const LEECH_LAPSES = 8;

/** Whether the card is a leech: forgotten so often that it should be rewritten. */
export function isLeech({ lapses }: Pick<Schedule, "lapses">): boolean {
  return lapses >= LEECH_LAPSES;
}

/** Whether this lapse prompts the student to rewrite the card: the 8th, 12th, 16th and so on. */
export function shouldPromptLeech(before: Schedule | undefined, after: Schedule): boolean {
  const { lapses } = after;
  return lapses > (before?.lapses ?? 0) && isLeech(after) && (lapses - LEECH_LAPSES) % (LEECH_LAPSES / 2) === 0;
}

/** The probability of recall now, 0 to 1. */
export function retrievability(schedule: Schedule, now: number, params: StudyParams = defaultParams): number {
  return schedulerFor(params).get_retrievability(toMemory(schedule, now), new Date(now), false);
}

/** Whether the card was graded Again or answered wrongly, without three right answers in a row since. */
export function isHard(schedule: Schedule): boolean {
  return schedule.rightAnswersToGo > 0;
}

/** Whether the card is on a short step, minutes away, rather than scheduled for another day. */
export function isLearning(schedule: Schedule): boolean {
  return schedule.state === "learning" || schedule.state === "relearning";
}

/** Whether the card's next answer is minutes away. */
export const isOnShortStep = (schedule: Schedule): boolean => isLearning(schedule) && schedule.scheduledDays === 0;

/** A short step is due at its minute; everything else is due for the whole study day. */
export function isDue(schedule: Schedule, now: number, dayEndsAt: number): boolean {
  return isOnShortStep(schedule) ? schedule.dueAt <= now : schedule.dueAt < dayEndsAt;
}
