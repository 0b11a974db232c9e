import {
  advance,
  defaultParams,
  isDue,
  isHard,
  isLearning,
  retrievability,
  reviewTime,
  withInterval,
  type ChooseInterval,
  type StudyParams,
} from "./rules.ts";
import type { Bucket } from "#shared/user/schema.ts";
import type { DueDeck, Grade, Review, Schedule } from "./schema.ts";

const MINUTE_MS = 60_000;
/** If nothing else is left, a short step this close is shown now instead of making the student wait. */
const LEARN_AHEAD_MS = 20 * MINUTE_MS;
/** New cards per deck and study day, unless the student asks for more. */
export const NEW_CARDS_PER_DAY = 20;

export type Schedules = ReadonlyMap<string, Schedule>;
/** What to study: the cards due today, or all cards of one kind ahead of time. */
export type StudyChoice = Bucket;

export interface StudyDay {
  now: number;
  startsAt: number;
  endsAt: number;
}

/** Ids of the cards to study, in order; `learning` cards are due in minutes and come first once due. */
export interface DueQueue {
  learning: Schedule[];
  review: string[];
  fresh: string[];
}

/** The due cards: short steps by time, reviews from the lowest recall on, then new cards in the deck's order. */
export function dueQueue(
  cardIds: readonly string[],
  schedules: Schedules,
  day: StudyDay,
  { newLimit, params = defaultParams }: { newLimit: number; params?: StudyParams | undefined },
): DueQueue {
  const learning: Schedule[] = [];
  const review: { cardId: string; recall: number }[] = [];
  const fresh: string[] = [];
  let introduced = 0;
  for (const cardId of cardIds) {
    const schedule = schedules.get(cardId);
    if (!schedule) fresh.push(cardId);
    else {
      if ((schedule.firstReviewedAt ?? 0) >= day.startsAt) introduced += 1;
      if (isLearning(schedule) && schedule.dueAt < day.endsAt) learning.push(schedule);
      else if (isDue(schedule, day.now, day.endsAt))
        review.push({ cardId, recall: retrievability(schedule, day.now, params) });
    }
  }
  return {
    learning: byDueTime(learning),
    review: review.toSorted((a, b) => a.recall - b.recall).map((item) => item.cardId),
    fresh: fresh.slice(0, Math.max(0, newLimit - introduced)),
  };
}

export const byDueTime = (schedules: readonly Schedule[]) => schedules.toSorted((a, b) => a.dueAt - b.dueAt);

export type DueCounts = Pick<DueDeck, "due" | "learning" | "learningAt" | "fresh" | "introduced">;

/** Due counts for lists and the sidebar. */
export function countDue(cardIds: readonly string[], schedules: Schedules, day: StudyDay): DueCounts {
  let due = 0;
  let learning = 0;
  let learningAt: number | null = null;
  let fresh = 0;
  let introduced = 0;
  for (const cardId of cardIds) {
    const schedule = schedules.get(cardId);
    if (!schedule) fresh += 1;
    else if (isDue(schedule, day.now, day.endsAt)) due += 1;
    else if (schedule.dueAt < day.endsAt) {
      learning += 1;
      learningAt = Math.min(learningAt ?? Infinity, schedule.dueAt);
    }
    if ((schedule?.firstReviewedAt ?? 0) >= day.startsAt) introduced += 1;
  }
  return { due, learning, learningAt, fresh, introduced };
}

/** The earliest due time of the deck's cards; null if no card is scheduled. */
export function nextDueAt(cardIds: readonly string[], schedules: Schedules): number | null {
  let next: number | null = null;
  for (const cardId of cardIds) {
    const dueAt = schedules.get(cardId)?.dueAt;
    if (dueAt !== undefined && (next === null || dueAt < next)) next = dueAt;
  }
  return next;
}

/** One answer of a session, with what its undo needs. */
export interface Answer {
  reviewId: string;
  cardId: string;
  grade: Grade;
  durationMs: number;
  /** The stored review. It has the interval that this device chose, which cannot be computed again. */
  review: Review;
  before: Schedule | undefined;
  after: Schedule;
  /** With this answer the card started to count against today's limit. */
  isFirstToday: boolean;
}

export type SessionState = "asking" | "finished" | "limit_reached";

/** An immutable session. For undo, every answer creates a new one that references the previous one. */
export interface Session {
  readonly queue: { readonly review: readonly string[]; readonly fresh: readonly string[] };
  /** The index of the next card in each list of the queue. */
  readonly nextReview: number;
  readonly nextFresh: number;
  readonly learning: readonly Schedule[];
  /** Different cards that the plan still allows today; Infinity if unlimited. */
  readonly mayStudy: number;
  /** Cards already counted today. Showing them again does not count. */
  readonly counted: ReadonlySet<string>;
  readonly endsAt: number;
  readonly state: SessionState;
  /** The card that is shown; null once the session is over. */
  readonly current: string | null;
  readonly answers: readonly Answer[];
  readonly previous: Session | null;
}

export interface SessionStart {
  cardIds: readonly string[];
  schedules: Schedules;
  day: StudyDay;
  choice: StudyChoice;
  mayStudy: number;
  counted: ReadonlySet<string>;
  newLimit?: number;
  params?: StudyParams | undefined;
  /** Cards that the student starred, for the choice "favourites". */
  favourites?: ReadonlySet<string> | undefined;
  /** The plan's cards of today, best first, which replace due and new cards. */
  planned?: readonly string[] | undefined;
}

export function startStudySession(start: SessionStart): Session {
  const { learning, review, fresh } = chooseCards(start);
  return pickNext(
    {
      queue: { review, fresh },
      nextReview: 0,
      nextFresh: 0,
      learning,
      mayStudy: start.mayStudy,
      counted: start.counted,
      endsAt: start.day.endsAt,
      state: "asking",
      current: null,
      answers: [],
      previous: null,
    },
    start.day.now,
  );
}

function chooseCards(start: SessionStart): DueQueue {
  const { cardIds: all, schedules, day, choice, newLimit = NEW_CARDS_PER_DAY, favourites, params, planned } = start;
  const due = () => dueQueue(all, schedules, day, { newLimit, params });
  if (choice === "due") return planned ? { ...due(), ...splitPlanned(planned, all, schedules) } : due();
  const cardIds = choice === "favourites" ? all.filter((id) => favourites?.has(id)) : all;
  const unseen = cardIds.filter((id) => !schedules.has(id));
  if (choice === "new") return { learning: [], review: [], fresh: unseen.slice(0, newLimit) };
  const seen = byDueTime(cardIds.flatMap((id) => schedules.get(id) ?? []));
  const matching = choice === "hard" ? seen.filter(isHard) : seen;
  return { learning: [], review: matching.map((schedule) => schedule.cardId), fresh: choice === "hard" ? [] : unseen };
}

/** Reviews and new cards of the plan; short steps are not part of it. */
function splitPlanned(planned: readonly string[], cardIds: readonly string[], schedules: Schedules) {
  const deckIds = new Set(cardIds);
  const cards = planned.filter((id) => deckIds.has(id));
  return { review: cards.filter((id) => schedules.has(id)), fresh: cards.filter((id) => !schedules.has(id)) };
}

/** Takes the next card: a due short step, a review, a new card, and last a short step that is nearly due. */
export function pickNext(session: Session, now: number): Session {
  const mayShow = (cardId: string | undefined) =>
    cardId !== undefined && (session.counted.has(cardId) || session.mayStudy > 0);
  const due = session.learning.findIndex((schedule) => schedule.dueAt <= now && mayShow(schedule.cardId));
  if (due !== -1) return takeLearning(session, due);
  let { nextReview } = session;
  while (nextReview < session.queue.review.length && !mayShow(session.queue.review[nextReview])) nextReview += 1;
  const reviewId = session.queue.review[nextReview];
  if (reviewId !== undefined) return { ...session, state: "asking", current: reviewId, nextReview: nextReview + 1 };
  const freshId = session.queue.fresh[session.nextFresh];
  if (freshId !== undefined && mayShow(freshId))
    return { ...session, state: "asking", current: freshId, nextFresh: session.nextFresh + 1 };
  const near = session.learning.findIndex((step) => step.dueAt <= now + LEARN_AHEAD_MS && mayShow(step.cardId));
  if (near !== -1) return takeLearning(session, near);
  return { ...session, state: isStoppedByLimit(session) ? "limit_reached" : "finished", current: null };
}

/** Whether only the plan's limit prevents further cards. */
function isStoppedByLimit({ mayStudy, counted, queue }: Session): boolean {
  return mayStudy <= 0 && [...queue.review, ...queue.fresh].some((cardId) => !counted.has(cardId));
}

function takeLearning(session: Session, at: number): Session {
  const taken = session.learning[at];
  return {
    ...session,
    state: "asking",
    current: taken?.cardId ?? null,
    learning: session.learning.filter((_, index) => index !== at),
  };
}

/** Cards that this session would still show from `now` on, without the current one. */
export function cardsLeft(session: Session, now: number): number {
  const { queue, nextReview, nextFresh, learning } = session;
  const near = learning.filter((step) => step.dueAt <= now + LEARN_AHEAD_MS).length;
  return queue.review.length - nextReview + (queue.fresh.length - nextFresh) + near;
}

export interface GradeInput {
  reviewId: string;
  componentId: string;
  grade: Grade;
  schedule: Schedule | undefined;
  now: number;
  durationMs: number;
  mode?: Review["mode"];
  params?: StudyParams | undefined;
  choose?: ChooseInterval | undefined;
}

/** The review for a grade, with the interval this device chooses, and the resulting schedule. */
export function giveGrade(cardId: string, input: GradeInput): { review: Review; after: Schedule } {
  const { choose, params = defaultParams, mode = "study" } = input;
  const plain: Review = {
    _id: input.reviewId,
    cardId,
    componentId: input.componentId,
    grade: input.grade,
    reviewedAt: reviewTime(input.schedule, input.now),
    durationMs: input.durationMs,
    mode,
  };
  const review = withInterval(plain, input.schedule, choose, params);
  return { review, after: advance(input.schedule, review, params) };
}

/** The session after an answer, and the review to store; undefined if no card is shown. */
export function answerCard(session: Session, input: GradeInput): { session: Session; review: Review } | undefined {
  const { current } = session;
  if (current === null) return undefined;
  const { review, after } = giveGrade(current, input);
  const { reviewId, grade, durationMs, schedule: before } = input;
  const answer = { reviewId, cardId: current, grade, durationMs, review, before, after };
  const isFirstToday = !session.counted.has(current);
  const isDueAgainToday = isLearning(after) && after.dueAt < session.endsAt;
  const next: Session = {
    ...session,
    learning: isDueAgainToday ? byDueTime([...session.learning, after]) : session.learning,
    mayStudy: isFirstToday ? session.mayStudy - 1 : session.mayStudy,
    counted: isFirstToday ? new Set(session.counted).add(current) : session.counted,
    answers: [...session.answers, { ...answer, isFirstToday }],
    previous: session,
  };
  return { session: pickNext(next, input.now), review };
}

export interface SessionSummary {
  answers: number;
  cards: number;
  again: number;
  durationMs: number;
}

export function summariseSession(session: Session): SessionSummary {
  return {
    answers: session.answers.length,
    cards: new Set(session.answers.map((answer) => answer.cardId)).size,
    again: session.answers.filter((answer) => answer.grade === 1).length,
    durationMs: session.answers.reduce((sum, answer) => sum + answer.durationMs, 0),
  };
}
