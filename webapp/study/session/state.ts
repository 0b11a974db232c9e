import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { startStudy } from "#shared/study/controller.ts";
import { withDailyLimit } from "#shared/study/today.ts";
import { findDeck, type Deck } from "#shared/study/deck/deck.ts";
import type { Grade } from "#shared/study/schema.ts";
import type { StudyChoice } from "#shared/study/session.ts";
import { advanceStreak } from "#shared/user/streak.ts";
import type { Streak } from "#shared/user/schema.ts";
import { readCardFavourites, setCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { logWarning } from "#webapp/app/log.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { recordOpened } from "#webapp/library/record-opened.ts";
import { store } from "#webapp/app/store.ts";
import { getStudyPort } from "../study-port.ts";
import { streakAtom } from "../home/home-state.ts";
import { runSingleFlight } from "../offline/single-flight.ts";
import { loadDeck, type LoadedDeck } from "../load-deck.ts";
import { readActiveStudy, showEvent, storeEvent } from "./apply-event.ts";
import { studyStateAtom, type ActiveStudy, type DeckExamPlan, type StudyView } from "./study-view.ts";

let openCount = 0;

/** Loads a deck and starts a session with a bucket, by default the bucket that the student chose. */
export async function openStudy(pageId: string, componentId: string, bucket?: StudyChoice): Promise<void> {
  openCount += 1;
  earlierStreaks = [];
  const ownCount = openCount;
  store.set(studyStateAtom, { state: "loading" });
  const view = await loadView(pageId, componentId, bucket);
  // Another deck was opened in the meantime.
  if (ownCount !== openCount) return;
  store.set(studyStateAtom, view);
  if (view.state === "ready") recordOpened(componentId);
}

/** Resets the state, so that the next deck does not briefly show this one. */
export function closeStudy(): void {
  openCount += 1;
  store.set(studyStateAtom, { state: "loading" });
}

async function loadView(pageId: string, componentId: string, bucket?: StudyChoice): Promise<StudyView> {
  try {
    const loaded = await loadDeck({ pageId, componentId }, getStudyPort());
    const deck = findDeck(loaded.state, componentId);
    if (!deck) return { state: "failed", reason: "missing" };
    return createView(deck, loaded, { examPlan: await loadExamPlan(deck, loaded), bucket });
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return { state: "failed", reason: "missing" };
    if (error instanceof NoResponseError) return { state: "failed", reason: "offline" };
    logWarning("Failed to load a deck to study", error);
    return { state: "failed", reason: "error" };
  }
}

/** The deck's exam plan. Null without an exam or on failure, so that due dates decide which cards to study. */
async function loadExamPlan(deck: Deck, loaded: LoadedDeck): Promise<DeckExamPlan | null> {
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

interface ViewOptions {
  examPlan: DeckExamPlan | null;
  bucket: StudyChoice | undefined;
}

function createView(deck: Deck, loaded: LoadedDeck, { examPlan, bucket: requestedBucket }: ViewOptions): ActiveStudy {
  setCardFavourites(deck.componentId, new Set(loaded.favourites));
  const preferences = store.get(preferencesAtom).flashcards;
  const bucket = requestedBucket ?? preferences.bucket;
  const study = startStudy({ deck, loaded, preferences, bucket, plan: examPlan }, getStudyPort().now());
  return { ...study, state: "ready", examPlan };
}

/** The streak before each review of the session, for undo. */
let earlierStreaks: (Streak | null)[] = [];

/** Starts a new session with another bucket. */
export function restartSession(bucket: StudyChoice): void {
  const componentId = readActiveStudy()?.deck.componentId;
  if (componentId === undefined) return;
  earlierStreaks = [];
  showEvent({ type: "start_session", bucket, favourites: readCardFavourites(componentId) });
}

/** Applies the daily limit of a plan that changed while the deck was open. */
export function followDailyLimit(dailyLimit: number | null): void {
  const view = readActiveStudy();
  if (!view || view.allowance.dailyLimit === dailyLimit) return;
  store.set(studyStateAtom, withDailyLimit(view, dailyLimit, getStudyPort().now()));
  if (view.session.state === "limit_reached") restartSession(view.bucket);
}

/** After another mode reviewed cards, a new session is built from the updated schedules. */
export function resumeLearning(): void {
  const view = readActiveStudy();
  if (view?.isSessionStale) restartSession(view.bucket);
}

export const reveal = (): void => showEvent({ type: "reveal" });

export const dismissLeech = (): void => showEvent({ type: "dismiss_leech" });

/** Stores the review on this device, then shows the next card. */
export function grade(gradeValue: Grade): Promise<void> {
  return runSingleFlight(async () => {
    const cardId = readActiveStudy()?.session.current ?? null;
    if (cardId === null) return;
    const reviewId = getStudyPort().newId();
    const step = await storeEvent({ type: "grade", cardId, grade: gradeValue, reviewId });
    if (!step) return;
    const streak = store.get(streakAtom);
    earlierStreaks.push(streak);
    store.set(streakAtom, streak && advanceStreak(streak, step.cached?.schedule?.lastReviewedAt ?? 0));
  });
}

/** Undoes the last review and shows its card again. */
export function undo(): Promise<void> {
  return runSingleFlight(async () => {
    if (await storeEvent({ type: "undo" })) store.set(streakAtom, earlierStreaks.pop() ?? null);
  });
}

/** Undoes any review of the session; its card is shown again. */
export function undoReview(reviewId: string): Promise<void> {
  return runSingleFlight(async () => {
    if (await storeEvent({ type: "undo_review", reviewId })) earlierStreaks.pop();
  });
}
