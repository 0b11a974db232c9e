import { NoResponse } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { advance, isLeechMoment } from "#shared/study/rules.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";
import { skipCard, removeAnswer, undoAnswer } from "#shared/study/session-changes.ts";
import { answerCard, startStudySession, type Answer, type StudyChoice } from "#shared/study/session.ts";
import { studiableCardIds, countedToday, studyDayOf, cardsRemainingToday } from "#shared/study/today.ts";
import { advanceStreak } from "#shared/user/rules.ts";
import { fetchCardFavourites, readCardFavourites, setCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { recordOpened } from "#webapp/library/record-opened.ts";
import { store } from "#webapp/app/store.ts";
import { findDeck, type Deck } from "../deck.ts";
import { getStudyPort } from "../study-port.ts";
import { streakAtom } from "../home/home-state.ts";
import { runSingleFlight } from "../offline/single-flight.ts";
import { loadDeck, type LoadedDeck } from "../load-deck.ts";
import { getLearnBucket, getNewCardsPerDay, getStudyParams } from "../scheduling-params.ts";
import {
  createChooserFor,
  studyStateAtom,
  type DeckPlan,
  MAX_REVIEW_DURATION_MS,
  applyReview,
  type ActiveStudy,
  type StudyView,
} from "./view.ts";

let openCount = 0;

/** Loads a deck and starts with the student's chosen bucket. */
export async function openStudy(pageId: string, componentId: string): Promise<void> {
  openCount += 1;
  const ownCount = openCount;
  store.set(studyStateAtom, { state: "loading" });
  const view = await loadView(pageId, componentId);
  // Another deck was opened meanwhile.
  if (ownCount !== openCount) return;
  store.set(studyStateAtom, view);
  if (view.state === "ready") recordOpened(componentId);
}

/** Resets the state, so that the next deck does not briefly show this one. */
export function closeStudy(): void {
  openCount += 1;
  store.set(studyStateAtom, { state: "loading" });
}

async function loadView(pageId: string, componentId: string): Promise<StudyView> {
  try {
    const loaded = await loadDeck(
      {
        pageId,
        componentId,
        fetchSchedules: () => client.study.getDeckSchedule({ componentId }),
        fetchFavourites: () => fetchCardFavourites(componentId),
      },
      getStudyPort(),
    );
    const deck = findDeck(loaded.state, componentId);
    if (!deck) return { state: "failed", reason: "missing" };
    return createView(deck, loaded, await loadPlan(deck, loaded));
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return { state: "failed", reason: "missing" };
    if (error instanceof NoResponse) return { state: "failed", reason: "offline" };
    logWarning("Failed to load a deck to study", error);
    return { state: "failed", reason: "trouble" };
  }
}

/** The deck's exam plan; null without an exam or on failure, and then due dates decide. */
async function loadPlan(deck: Deck, loaded: LoadedDeck): Promise<DeckPlan | null> {
  const { examAt, minutesPerDay } = loaded.terms.settings;
  if (examAt === null || minutesPerDay === null || examAt <= getStudyPort().now()) return null;
  try {
    const { planDeck } = await import("../exam/deck-plan.ts");
    return await planDeck(deck, loaded);
  } catch (error) {
    logWarning("Failed to plan for an exam", error);
    return null;
  }
}

function createView(deck: Deck, loaded: LoadedDeck, plan: DeckPlan | null): ActiveStudy {
  const { schedules: list, allowance, terms, isFromDevice, favourites } = loaded;
  setCardFavourites(deck.componentId, new Set(favourites));
  const schedules = new Map(list.map((schedule) => [schedule.cardId, schedule]));
  const now = getStudyPort().now();
  const known = { deck, schedules, allowance, params: getStudyParams(terms), plan };
  const bucket = getLearnBucket();
  return {
    state: "ready",
    ...known,
    bucket,
    session: createSession(known, bucket),
    isSessionOld: false,
    terms,
    leechId: null,
    isFromDevice,
    isRevealed: false,
    shownAt: now,
    streaks: [],
  };
}

type SessionInput = Pick<ActiveStudy, "deck" | "schedules" | "allowance" | "params" | "plan">;

function createSession({ deck, schedules, allowance, params, plan }: SessionInput, choice: StudyChoice) {
  const now = getStudyPort().now();
  return startStudySession({
    cardIds: studiableCardIds(deck, now),
    schedules,
    day: studyDayOf(now, allowance),
    choice,
    params,
    favourites: readCardFavourites(deck.componentId),
    planned: plan?.today,
    newLimit: getNewCardsPerDay(),
    mayStudy: cardsRemainingToday(allowance, now),
    counted: countedToday(schedules, now),
  });
}

/** Starts a new session with another bucket. */
export function restartSession(bucket: StudyChoice): void {
  const view = store.get(studyStateAtom);
  if (view.state !== "ready") return;
  const session = createSession(view, bucket);
  const newSession = { bucket, session, isSessionOld: false, isRevealed: false, leechId: null, streaks: [] };
  store.set(studyStateAtom, { ...view, ...newSession, shownAt: getStudyPort().now() });
}

/** After another mode reviewed cards, a new session is built from the updated schedules. */
export function resumeLearning(): void {
  const view = store.get(studyStateAtom);
  if (view.state === "ready" && view.isSessionOld) restartSession(view.bucket);
}

export function reveal(): void {
  const view = store.get(studyStateAtom);
  if (view.state === "ready" && view.session.current !== null) store.set(studyStateAtom, { ...view, isRevealed: true });
}

/** Stores the review on this device, then shows the next card. */
export function grade(gradeValue: Grade): Promise<void> {
  return runSingleFlight(async () => {
    const view = store.get(studyStateAtom);
    if (view.state !== "ready" || !view.isRevealed || view.session.current === null) return;
    const { deck, session, schedules, params } = view;
    const now = getStudyPort().now();
    const outcome = answerCard(session, {
      reviewId: getStudyPort().newId(),
      componentId: deck.componentId,
      grade: gradeValue,
      schedule: schedules.get(view.session.current),
      now,
      params,
      choose: createChooserFor(view, now),
      durationMs: Math.min(now - view.shownAt, MAX_REVIEW_DURATION_MS),
    });
    if (!outcome) return;
    await getStudyPort().enqueue("review_add", deck.componentId, outcome.review);
    const answer = outcome.session.answers.at(-1);
    const streak = store.get(streakAtom);
    const leechId = answer && isLeechMoment(answer.before, answer.after) ? answer.cardId : null;
    const before = { ...view, leechId, streaks: [...view.streaks, streak] };
    applyReview(before, outcome.session, { cardId: outcome.review.cardId, schedule: answer?.after });
    store.set(streakAtom, streak && advanceStreak(streak, outcome.review.reviewedAt));
  });
}

/** Undoes the last review and shows its card again. */
export function undo(): Promise<void> {
  return runSingleFlight(async () => {
    const view = store.get(studyStateAtom);
    if (view.state !== "ready") return;
    const undone = undoAnswer(view.session);
    if (!undone) return;
    const { reviewId, cardId, before } = undone.answer;
    await getStudyPort().enqueue("review_undo", view.deck.componentId, { reviewId });
    applyReview({ ...view, streaks: view.streaks.slice(0, -1) }, undone.session, { cardId, schedule: before });
    store.set(streakAtom, view.streaks.at(-1) ?? null);
  });
}

/** Undoes any review of the session; its card is shown again. */
export function undoReview(reviewId: string): Promise<void> {
  return runSingleFlight(async () => {
    const view = store.get(studyStateAtom);
    const answer = view.state === "ready" ? view.session.answers.find((one) => one.reviewId === reviewId) : undefined;
    if (view.state !== "ready" || !answer) return;
    const schedule = scheduleWithout(view, answer);
    const session = removeAnswer(view.session, reviewId, { schedule });
    if (!session) return;
    await getStudyPort().enqueue("review_undo", view.deck.componentId, { reviewId });
    const next = session.current === null ? skipCard(session, getStudyPort().now()) : session;
    applyReview({ ...view, streaks: view.streaks.slice(0, -1) }, next, { cardId: answer.cardId, schedule });
  });
}

/** The card's schedule computed from its other reviews in the session. */
function scheduleWithout({ session, deck, params }: ActiveStudy, undone: Answer): Schedule | undefined {
  const laterAnswers = session.answers.slice(session.answers.indexOf(undone) + 1);
  return laterAnswers
    .filter((answer) => answer.cardId === undone.cardId)
    .reduce<Schedule | undefined>((schedule, { reviewId, cardId, grade: gradeValue, after }) => {
      const reviewedAt = after.lastReviewedAt ?? 0;
      return advance(
        schedule,
        { _id: reviewId, cardId, componentId: deck.componentId, grade: gradeValue, reviewedAt },
        params,
      );
    }, undone.before);
}
