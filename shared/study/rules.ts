import { createEmptyCard, fsrs, State, type Card, type FSRS } from "ts-fsrs";
import type { Grade, Review, Schedule } from "./schema.ts";

/** The share of due cards that should still be remembered. */
export const DESIRED_RETENTION = 0.9;
/** So many right answers in a row, and a card is hard no longer. */
const RIGHT_ANSWERS_TO_EASE = 3;
export const GRADES = [1, 2, 3, 4] as const satisfies readonly Grade[];

export interface StudyParams {
  desiredRetention: number;
}
export const defaultParams: StudyParams = { desiredRetention: DESIRED_RETENTION };

const schedulers = new Map<number, FSRS>();

// Without fuzz, so that every device derives the same schedule from the same reviews.
function schedulerFor({ desiredRetention }: StudyParams): FSRS {
  const known = schedulers.get(desiredRetention);
  if (known) return known;
  const made = fsrs({ request_retention: desiredRetention, enable_fuzz: false, enable_short_term: true });
  schedulers.set(desiredRetention, made);
  return made;
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
    // The scheduler takes the days that passed from `last_review`; this field it only writes.
    elapsed_days: 0,
    scheduled_days: schedule.scheduledDays,
    learning_steps: schedule.learningStep,
    reps: schedule.reps,
    lapses: schedule.lapses,
    state: stateNumbers[schedule.state],
    last_review: new Date(schedule.lastReviewedAt),
  };
}

type Answered = Pick<Review, "_id" | "cardId" | "componentId" | "grade" | "reviewedAt">;

/** By time, then by id: the one order in which every device replays the same reviews. */
export function inOrder<R extends Pick<Review, "_id" | "reviewedAt">>(reviews: readonly R[]): R[] {
  return reviews.toSorted((a, b) => a.reviewedAt - b.reviewedAt || (a._id < b._id ? -1 : a._id > b._id ? 1 : 0));
}

/** The reviews of two devices as one list: each review once, whoever brought it. */
export function mergeReviews<R extends Pick<Review, "_id" | "reviewedAt">>(a: readonly R[], b: readonly R[]): R[] {
  return inOrder([...new Map([...a, ...b].map((review) => [review._id, review])).values()]);
}

/** The schedule after one more review, which must not be older than the last. */
export function advance(
  schedule: Schedule | undefined,
  review: Answered,
  params: StudyParams = defaultParams,
): Schedule {
  const { cardId, componentId, grade, reviewedAt } = review;
  const memory = schedulerFor(params).next(toMemory(schedule, reviewedAt), new Date(reviewedAt), grade).card;
  return {
    cardId,
    componentId,
    state: stateNames[memory.state],
    dueAt: memory.due.getTime(),
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

/** The schedule of one card from all of its reviews, in any order; undefined where there is none. */
export function replay(reviews: readonly Answered[], params: StudyParams = defaultParams): Schedule | undefined {
  return inOrder(reviews).reduce<Schedule | undefined>(
    (schedule, review) => advance(schedule, review, params),
    undefined,
  );
}

/** When to say that a review was given: never before the card's last, even where another device's clock ran ahead. */
export function reviewTime(schedule: Schedule | undefined, now: number): number {
  return Math.max(now, schedule?.lastReviewedAt ?? 0);
}

/** When the card would come back after each of the four grades, in the order Again, Hard, Good, Easy. */
export function preview(
  schedule: Schedule | undefined,
  now: number,
  params: StudyParams = defaultParams,
): { grade: Grade; dueAt: number }[] {
  const at = reviewTime(schedule, now);
  const outcomes = schedulerFor(params).repeat(toMemory(schedule, at), new Date(at));
  return GRADES.map((grade) => ({ grade, dueAt: outcomes[grade].card.due.getTime() }));
}

/** How likely the student is to remember the card now, 0 to 1. */
export function retrievability(schedule: Schedule, now: number, params: StudyParams = defaultParams): number {
  return schedulerFor(params).get_retrievability(toMemory(schedule, now), new Date(now), false);
}

/** Graded Again or answered wrongly, and not yet three right answers in a row since. */
export function isHard(schedule: Schedule): boolean {
  return schedule.rightAnswersToGo > 0;
}

/** Whether the card waits for its next short step, minutes away, and not for another day. */
export function isLearning(schedule: Schedule): boolean {
  return schedule.state === "learning" || schedule.state === "relearning";
}

/** A short step is due at its minute; everything else is due for the whole study day that it falls into. */
export function isDue(schedule: Schedule, now: number, dayEndsAt: number): boolean {
  return isLearning(schedule) && schedule.scheduledDays === 0 ? schedule.dueAt <= now : schedule.dueAt < dayEndsAt;
}
