import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Bucket } from "#shared/user/schema.ts";
import type { Allowance, CardChange, SchedulingInput } from "./deck/cached-decks.ts";
import type { Deck } from "./deck/deck.ts";
import type { LoadedDeck } from "./deck/load-deck.ts";
import { advance, shouldPromptLeech, previewGrades, type StudyParams } from "./rules.ts";
import { createIntervalChooser, studyParamsOf, type SchedulingPreferences } from "./scheduling.ts";
import type { Grade, Review, Schedule } from "./schema.ts";
import { removeAnswer, removeCards, skipCard, undoAnswer } from "./session-changes.ts";
import {
  answerCard,
  cardsLeft,
  countDue,
  type DueCounts,
  giveGrade,
  startStudySession,
  type Answer,
  type Schedules,
  type Session,
} from "./session.ts";
import { addToCount, cardsRemainingToday, countedToday, studiableCardIds, studyDayOf } from "./today.ts";

/** A review that takes longer than an hour counts as an hour, because the student was away. */
const MAX_REVIEW_DURATION_MS = 3_600_000;

/** A deck being studied. Apps may add their own fields. */
export interface StudyState {
  deck: Deck;
  schedules: Schedules;
  session: Session;
  allowance: Allowance;
  terms: SchedulingInput;
  params: StudyParams;
  preferences: SchedulingPreferences;
  /** Today's cards of the exam plan, best first; null without a plan. */
  plan: { today: readonly string[] } | null;
  /** The bucket the session was started with. */
  bucket: Bucket;
  /** Whether another study mode has reviewed cards since the session was built. */
  isSessionStale: boolean;
  /** The card that has just become a leech, if any. */
  leechId: string | null;
  isRevealed: boolean;
  /** Whether cards and schedules are from this device's cache, because the server was unreachable. */
  isCached: boolean;
  /** When the current card was shown, epoch ms. */
  shownAt: number;
}

export type StudyEvent =
  | { type: "reveal" }
  /** `cardId` is the card that the student saw. A grade for any other card changes nothing. */
  | { type: "grade"; cardId: string; grade: Grade; reviewId: string }
  | { type: "undo" }
  | { type: "undo_review"; reviewId: string }
  | { type: "start_session"; bucket: Bucket; favourites: ReadonlySet<string> }
  /** Cards that are gone, suspended or buried leave the session; new ones wait for the next session. */
  | { type: "change_cards"; cards: readonly Flashcard[] }
  | ({ type: "record_review" } & ModeReview)
  | { type: "dismiss_leech" };

/** A review from a study mode without grade buttons, in place of an earlier one if `replaces` is given. */
export interface ModeReview {
  cardId: string;
  grade: Grade;
  durationMs: number;
  mode: Review["mode"];
  reviewId: string;
  replaces?: { reviewId: string; before: Schedule | undefined };
}

export type StudyRequest = { type: "review_add"; data: Review } | { type: "review_undo"; data: { reviewId: string } };

export interface StudyStep<S extends StudyState> {
  /** The same object if a review event changes nothing. */
  state: S;
  /** Requests that must be stored in this order before the state is shown. */
  requests: readonly StudyRequest[];
  /** The changed schedule, for this device's cache. */
  cached: CardChange | null;
}

interface StudyStart {
  deck: Deck;
  loaded: Pick<LoadedDeck, "schedules" | "allowance" | "terms" | "favourites" | "isCached">;
  preferences: SchedulingPreferences;
  bucket: Bucket;
  plan: StudyState["plan"];
}

export function startStudy({ deck, loaded, preferences, bucket, plan }: StudyStart, now: number): StudyState {
  const { allowance, terms, isCached } = loaded;
  const schedules = new Map(loaded.schedules.map((schedule) => [schedule.cardId, schedule]));
  const known = { deck, schedules, allowance, params: studyParamsOf(terms, preferences), preferences, plan };
  const session = createSession(known, { bucket, favourites: new Set(loaded.favourites) }, now);
  const initialView = { isSessionStale: false, leechId: null, isRevealed: false, shownAt: now };
  return { ...known, terms, bucket, isCached, session, ...initialView };
}

/** The state after an event, and the requests that must be stored first. Pure: ids and the time are passed in. */
export function stepStudy<S extends StudyState>(state: S, event: StudyEvent, now: number): StudyStep<S> {
  switch (event.type) {
    case "reveal":
      return state.session.current === null ? withoutRequests(state) : withoutRequests({ ...state, isRevealed: true });
    case "grade":
      return gradeCard(state, event, now);
    case "undo":
      return undoLast(state, now);
    case "undo_review":
      return undoReview(state, event.reviewId, now);
    case "start_session":
      return withoutRequests(restart(state, event, now));
    case "change_cards":
      return withoutRequests(changeCards(state, event.cards, now));
    case "record_review":
      return recordReview(state, event, now);
    case "dismiss_leech":
      return withoutRequests({ ...state, leechId: null });
    default:
      return event satisfies never;
  }
}

/** When the current card would be due after each grade, if it had been graded when it was shown. */
export function previewCurrentCard(state: StudyState): { grade: Grade; dueAt: number }[] {
  const { session, deck, schedules, shownAt, params } = state;
  if (session.current === null) return [];
  const card = { cardId: session.current, componentId: deck.componentId };
  const choose = createIntervalChooser(state, shownAt);
  return previewGrades(card, { schedule: schedules.get(card.cardId), now: shownAt, choose }, params);
}

/** The position of the current card in the session, starting at 1. */
export function sessionPosition({ session, shownAt }: StudyState): { position: number; total: number } {
  const position = session.answers.length + 1;
  return { position, total: position + cardsLeft(session, shownAt) };
}

/** Due and new cards of the deck. */
export function countDeckDue(
  { deck, schedules, allowance }: Pick<StudyState, "deck" | "schedules" | "allowance">,
  now: number,
): DueCounts {
  return countDue(studiableCardIds(deck, now), schedules, studyDayOf(now, allowance));
}

/** Whether the daily card limit allows the card; cards already counted today are free. */
export const canStudyCard = ({ session }: Pick<StudyState, "session">, cardId: string): boolean =>
  session.counted.has(cardId) || session.mayStudy > 0;

type SessionInput = Pick<StudyState, "deck" | "schedules" | "allowance" | "params" | "preferences" | "plan">;
type SessionChoice = Pick<Extract<StudyEvent, { type: "start_session" }>, "bucket" | "favourites">;

function createSession(input: SessionInput, { bucket, favourites }: SessionChoice, now: number): Session {
  const { deck, schedules, allowance, params, preferences, plan } = input;
  return startStudySession({
    cardIds: studiableCardIds(deck, now),
    schedules,
    day: studyDayOf(now, allowance),
    choice: bucket,
    params,
    favourites,
    planned: plan?.today,
    newLimit: preferences.new_cards_per_day,
    mayStudy: cardsRemainingToday(allowance, now),
    counted: countedToday(schedules, now),
  });
}

function restart<S extends StudyState>(state: S, choice: SessionChoice, now: number): S {
  const session = createSession(state, choice, now);
  const { bucket } = choice;
  return { ...state, session, bucket, isSessionStale: false, isRevealed: false, leechId: null, shownAt: now };
}

/** A step that stores nothing. */
const withoutRequests = <S extends StudyState>(state: S): StudyStep<S> => ({ state, requests: [], cached: null });

interface ReviewChange {
  session: Session;
  cardId: string;
  schedule: Schedule | undefined;
  requests: readonly StudyRequest[];
}

function applyReviewChange<S extends StudyState>(state: S, change: ReviewChange, now: number): StudyStep<S> {
  const { session, cardId, schedule, requests } = change;
  const schedules = new Map(state.schedules);
  if (schedule) schedules.set(cardId, schedule);
  else schedules.delete(cardId);
  const allowance = addToCount(state.allowance, session.counted.size - state.session.counted.size, now);
  return {
    state: { ...state, session, schedules, allowance, isRevealed: false, shownAt: now },
    requests,
    cached: { cardId, schedule, allowance },
  };
}

function gradeCard<S extends StudyState>(
  state: S,
  { cardId, grade, reviewId }: Extract<StudyEvent, { type: "grade" }>,
  now: number,
): StudyStep<S> {
  const { session, schedules, params, deck, isRevealed } = state;
  const isRepeated = session.answers.some((answer) => answer.reviewId === reviewId);
  if (!isRevealed || session.current !== cardId || isRepeated) return withoutRequests(state);
  const outcome = answerCard(session, {
    reviewId,
    componentId: deck.componentId,
    grade,
    schedule: schedules.get(cardId),
    now,
    params,
    choose: createIntervalChooser(state, now),
    durationMs: clampDuration(now - state.shownAt),
  });
  const answer = outcome?.session.answers.at(-1);
  if (!outcome || !answer) return withoutRequests(state);
  const leechId = shouldPromptLeech(answer.before, answer.after) ? cardId : null;
  const requests = [{ type: "review_add", data: outcome.review }] as const;
  const change = { session: outcome.session, cardId, schedule: answer.after, requests };
  return applyReviewChange({ ...state, leechId }, change, now);
}

const clampDuration = (ms: number) => Math.min(Math.max(0, Math.round(ms)), MAX_REVIEW_DURATION_MS);

function undoLast<S extends StudyState>(state: S, now: number): StudyStep<S> {
  const undone = undoAnswer(state.session);
  return undone
    ? undoStep(state, undone.answer, { session: undone.session, schedule: undone.answer.before }, now)
    : withoutRequests(state);
}

function undoReview<S extends StudyState>(state: S, reviewId: string, now: number): StudyStep<S> {
  const answer = state.session.answers.find((candidate) => candidate.reviewId === reviewId);
  if (!answer) return withoutRequests(state);
  const schedule = scheduleWithout(state, answer);
  const shortened = removeAnswer(state.session, reviewId, { schedule });
  if (!shortened) return withoutRequests(state);
  const session = shortened.current === null ? skipCard(shortened, now) : shortened;
  return undoStep(state, answer, { session, schedule }, now);
}

function undoStep<S extends StudyState>(
  state: S,
  { reviewId, cardId }: Answer,
  after: { session: Session; schedule: Schedule | undefined },
  now: number,
): StudyStep<S> {
  // A card that was deleted meanwhile is not shown again, though its review is undone.
  const isDeleted = !state.deck.cards.some((card) => card.id === cardId);
  const session = isDeleted ? removeCards(after.session, new Set([cardId]), now) : after.session;
  const requests = [{ type: "review_undo", data: { reviewId } }] as const;
  const leechId = state.leechId === cardId ? null : state.leechId;
  return applyReviewChange({ ...state, leechId }, { session, cardId, schedule: after.schedule, requests }, now);
}

/** The card's schedule computed from its other reviews in the session. */
function scheduleWithout({ session, params }: StudyState, undone: Answer): Schedule | undefined {
  return session.answers
    .slice(session.answers.indexOf(undone) + 1)
    .filter((answer) => answer.cardId === undone.cardId)
    .reduce<Schedule | undefined>((schedule, { review }) => advance(schedule, review, params), undone.before);
}

function changeCards<S extends StudyState>(state: S, cards: readonly Flashcard[], now: number): S {
  const deck = { ...state.deck, cards };
  const studiable = new Set(studiableCardIds(deck, now));
  const { current, learning, queue, nextReview, nextFresh } = state.session;
  const steps = [...(current === null ? [] : [current]), ...learning.map((step) => step.cardId)];
  const pending = [...steps, ...queue.review.slice(nextReview), ...queue.fresh.slice(nextFresh)];
  const removed = pending.filter((id) => !studiable.has(id));
  const session = removed.length === 0 ? state.session : removeCards(state.session, new Set(removed), now);
  const cardReset = session.current === current ? {} : { isRevealed: false, shownAt: now };
  const isLeechUnchanged = state.deck.cards.some((card) => card.id === state.leechId && cards.includes(card));
  return { ...state, deck, session, leechId: isLeechUnchanged ? state.leechId : null, ...cardReset };
}

function recordReview<S extends StudyState>(state: S, modeReview: ModeReview, now: number): StudyStep<S> {
  const { session, deck, params } = state;
  const { cardId, grade, mode, reviewId, replaces } = modeReview;
  const schedule = replaces ? replaces.before : state.schedules.get(cardId);
  const { review, after } = giveGrade(cardId, {
    reviewId,
    componentId: deck.componentId,
    grade,
    schedule,
    now,
    durationMs: clampDuration(modeReview.durationMs),
    mode,
    params,
    choose: createIntervalChooser(state, now),
  });
  const undone: StudyRequest[] = replaces ? [{ type: "review_undo", data: { reviewId: replaces.reviewId } }] : [];
  const isFirstToday = !session.counted.has(cardId);
  const counted = isFirstToday && { counted: new Set(session.counted).add(cardId), mayStudy: session.mayStudy - 1 };
  const change = {
    session: { ...session, ...counted },
    cardId,
    schedule: after,
    requests: [...undone, { type: "review_add", data: review } as const],
  };
  return applyReviewChange({ ...state, isSessionStale: true }, change, now);
}
