import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { advance, isLeechMoment } from "#shared/study/rules.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";
import { skipCard, takeBack, undoAnswer } from "#shared/study/session-changes.ts";
import { answerCard, startSession, type Answer, type StudyChoice } from "#shared/study/session.ts";
import { askedIds, countedToday, dayOf, leftToday } from "#shared/study/today.ts";
import { advanceStreak } from "#shared/user/rules.ts";
import { fetchCardFavourites, readCardFavourites, showCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { noteOpened } from "#webapp/library/note-opened.ts";
import { store } from "#webapp/app/store.ts";
import { deckOf, type Deck } from "./deck.ts";
import { studyDoor } from "./door.ts";
import { streakAtom } from "./home/home-state.ts";
import { keeping } from "./offline/keeping.ts";
import { loadDeck, type Loaded } from "./loading.ts";
import { bucketToLearn, newCardsPerDay, paramsOf } from "./terms.ts";
import {
  chooserFor,
  currentAtom,
  type DeckPlan,
  LONGEST_ANSWER_MS,
  show,
  type Studying,
  type StudyView,
} from "./view.ts";

let opened = 0;

/** Loads a deck and starts with the student's chosen bucket. */
export async function openStudy(pageId: string, componentId: string): Promise<void> {
  opened += 1;
  const mine = opened;
  store.set(currentAtom, { state: "loading" });
  const view = await begin(pageId, componentId);
  // Another deck was opened meanwhile.
  if (mine !== opened) return;
  store.set(currentAtom, view);
  if (view.state === "ready") noteOpened(componentId);
}

/** Resets the state, so that the next deck does not briefly show this one. */
export function closeStudy(): void {
  opened += 1;
  store.set(currentAtom, { state: "loading" });
}

async function begin(pageId: string, componentId: string): Promise<StudyView> {
  try {
    const loaded = await loadDeck(
      {
        pageId,
        componentId,
        fetchSchedules: () => client.study.getDeckSchedule({ componentId }),
        fetchFavourites: () => fetchCardFavourites(componentId),
      },
      studyDoor(),
    );
    const deck = deckOf(loaded.state, componentId);
    if (!deck) return { state: "failed", reason: "missing" };
    return studyingOf(deck, loaded, await planOf(deck, loaded));
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return { state: "failed", reason: "missing" };
    if (error instanceof NoAnswer) return { state: "failed", reason: "offline" };
    logTrouble("Failed to load a deck to study", error);
    return { state: "failed", reason: "trouble" };
  }
}

/** The deck's exam plan; null without an exam or on failure, and then due dates decide. */
async function planOf(deck: Deck, loaded: Loaded): Promise<DeckPlan | null> {
  const { examAt, minutesPerDay } = loaded.terms.settings;
  if (examAt === null || minutesPerDay === null || examAt <= studyDoor().now()) return null;
  try {
    const { planDeck } = await import("./exam/deck-plan.ts");
    return await planDeck(deck, loaded);
  } catch (error) {
    logTrouble("Failed to plan for an exam", error);
    return null;
  }
}

function studyingOf(deck: Deck, loaded: Loaded, plan: DeckPlan | null): Studying {
  const { schedules: list, allowance, terms, isFromDevice, favourites } = loaded;
  showCardFavourites(deck.componentId, new Set(favourites));
  const schedules = new Map(list.map((schedule) => [schedule.cardId, schedule]));
  const now = studyDoor().now();
  const known = { deck, schedules, allowance, params: paramsOf(terms), plan };
  const bucket = bucketToLearn();
  return {
    state: "ready",
    ...known,
    bucket,
    session: sessionOf(known, bucket),
    isSessionOld: false,
    terms,
    leechId: null,
    isFromDevice,
    isRevealed: false,
    shownAt: now,
    streaks: [],
  };
}

type Known = Pick<Studying, "deck" | "schedules" | "allowance" | "params" | "plan">;

function sessionOf({ deck, schedules, allowance, params, plan }: Known, choice: StudyChoice) {
  const now = studyDoor().now();
  return startSession({
    cardIds: askedIds(deck, now),
    schedules,
    day: dayOf(now, allowance),
    choice,
    params,
    favourites: readCardFavourites(deck.componentId),
    planned: plan?.today,
    newLimit: newCardsPerDay(),
    mayStudy: leftToday(allowance, now),
    counted: countedToday(schedules, now),
  });
}

/** Starts a new session with another bucket. */
export function studyMore(bucket: StudyChoice): void {
  const view = store.get(currentAtom);
  if (view.state !== "ready") return;
  const session = sessionOf(view, bucket);
  const begun = { bucket, session, isSessionOld: false, isRevealed: false, leechId: null, streaks: [] };
  store.set(currentAtom, { ...view, ...begun, shownAt: studyDoor().now() });
}

/** After another mode reviewed cards, a new session is built from the updated schedules. */
export function resumeLearning(): void {
  const view = store.get(currentAtom);
  if (view.state === "ready" && view.isSessionOld) studyMore(view.bucket);
}

export function reveal(): void {
  const view = store.get(currentAtom);
  if (view.state === "ready" && view.session.current !== null) store.set(currentAtom, { ...view, isRevealed: true });
}

/** Stores the review on this device, then shows the next card. */
export function grade(given: Grade): Promise<void> {
  return keeping(async () => {
    const view = store.get(currentAtom);
    if (view.state !== "ready" || !view.isRevealed || view.session.current === null) return;
    const { deck, session, schedules, params } = view;
    const now = studyDoor().now();
    const outcome = answerCard(session, {
      reviewId: studyDoor().newId(),
      componentId: deck.componentId,
      grade: given,
      schedule: schedules.get(view.session.current),
      now,
      params,
      choose: chooserFor(view, now),
      durationMs: Math.min(now - view.shownAt, LONGEST_ANSWER_MS),
    });
    if (!outcome) return;
    await studyDoor().enqueue("review_add", deck.componentId, outcome.review);
    const answer = outcome.session.answers.at(-1);
    const streak = store.get(streakAtom);
    const leechId = answer && isLeechMoment(answer.before, answer.after) ? answer.cardId : null;
    const before = { ...view, leechId, streaks: [...view.streaks, streak] };
    show(before, outcome.session, { cardId: outcome.review.cardId, schedule: answer?.after });
    store.set(streakAtom, streak && advanceStreak(streak, outcome.review.reviewedAt));
  });
}

/** Undoes the last review and shows its card again. */
export function undo(): Promise<void> {
  return keeping(async () => {
    const view = store.get(currentAtom);
    if (view.state !== "ready") return;
    const undone = undoAnswer(view.session);
    if (!undone) return;
    const { reviewId, cardId, before } = undone.answer;
    await studyDoor().enqueue("review_undo", view.deck.componentId, { reviewId });
    show({ ...view, streaks: view.streaks.slice(0, -1) }, undone.session, { cardId, schedule: before });
    store.set(streakAtom, view.streaks.at(-1) ?? null);
  });
}

/** Undoes any review of the session; its card is shown again. */
export function takeBackAnswer(reviewId: string): Promise<void> {
  return keeping(async () => {
    const view = store.get(currentAtom);
    const answer = view.state === "ready" ? view.session.answers.find((one) => one.reviewId === reviewId) : undefined;
    if (view.state !== "ready" || !answer) return;
    const schedule = withoutAnswer(view, answer);
    const session = takeBack(view.session, reviewId, { schedule });
    if (!session) return;
    await studyDoor().enqueue("review_undo", view.deck.componentId, { reviewId });
    const next = session.current === null ? skipCard(session, studyDoor().now()) : session;
    show({ ...view, streaks: view.streaks.slice(0, -1) }, next, { cardId: answer.cardId, schedule });
  });
}

/** The card's schedule computed from its other reviews in the session. */
function withoutAnswer({ session, deck, params }: Studying, undone: Answer): Schedule | undefined {
  const later = session.answers.slice(session.answers.indexOf(undone) + 1);
  return later
    .filter((answer) => answer.cardId === undone.cardId)
    .reduce<Schedule | undefined>((schedule, { reviewId, cardId, grade: given, after }) => {
      const reviewedAt = after.lastReviewedAt ?? 0;
      return advance(
        schedule,
        { _id: reviewId, cardId, componentId: deck.componentId, grade: given, reviewedAt },
        params,
      );
    }, undone.before);
}
