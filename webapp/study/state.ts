import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { studyDayEndsAt, studyDayStartsAt } from "#shared/study/day.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";
import {
  answerCard,
  countDue,
  startSession,
  undoAnswer,
  type Schedules,
  type Session,
  type StudyChoice,
  type StudyDay,
} from "#shared/study/session.ts";
import type { Streak } from "#shared/user/schema.ts";
import { advanceStreak, utcDay } from "#shared/user/rules.ts";
import { notify } from "#webapp/kit/alerts.ts";
import { client } from "#webapp/kit/client.ts";
import { showDeckDue } from "#webapp/kit/due.ts";
import { logTrouble } from "#webapp/kit/log.ts";
import { store } from "#webapp/kit/store.ts";
import { writeSchedule, type Allowance } from "#webapp/kit/study-store.ts";
import { deckOf, type Deck } from "./deck.ts";
import { streakAtom } from "./home-state.ts";
import { loadDeck, type Loaded } from "./loading.ts";
import { studyDoor } from "./door.ts";

/** A deck while it is studied. */
export interface Studying {
  state: "ready";
  deck: Deck;
  schedules: Schedules;
  session: Session;
  allowance: Allowance;
  isRevealed: boolean;
  /** The server was not reached: cards and schedules are those that this device kept. */
  isFromDevice: boolean;
  /** When the card that is asked was shown. */
  shownAt: number;
  /** What the streak was before each answer of the session. */
  streaks: readonly (Streak | null)[];
}

export type StudyView =
  | { state: "loading" }
  | { state: "failed"; reason: "missing" | "offline" | "trouble" }
  | Studying;

const currentAtom = atom<StudyView>({ state: "loading" });
export const studyAtom = atom((get) => get(currentAtom));

let opened = 0;

/** Loads a deck and begins with what is due. */
export async function openStudy(pageId: string, componentId: string): Promise<void> {
  opened += 1;
  const mine = opened;
  store.set(currentAtom, { state: "loading" });
  const view = await begin(pageId, componentId);
  // Another deck was opened meanwhile.
  if (mine === opened) store.set(currentAtom, view);
}

/** The next deck that is opened must not begin with a glimpse of this one. */
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
      },
      studyDoor(),
    );
    const deck = deckOf(loaded.state, componentId);
    return deck ? studyingOf(deck, loaded) : { state: "failed", reason: "missing" };
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return { state: "failed", reason: "missing" };
    if (error instanceof NoAnswer) return { state: "failed", reason: "offline" };
    logTrouble("Failed to load a deck to study", error);
    return { state: "failed", reason: "trouble" };
  }
}

function studyingOf(deck: Deck, { schedules: list, allowance, isFromDevice }: Loaded): Studying {
  const schedules = new Map(list.map((schedule) => [schedule.cardId, schedule]));
  const now = studyDoor().now();
  const session = sessionOf({ deck, schedules, allowance }, "due");
  return {
    state: "ready",
    deck,
    schedules,
    session,
    allowance,
    isFromDevice,
    isRevealed: false,
    shownAt: now,
    streaks: [],
  };
}

export function dayOf(now: number, { timezone }: Allowance): StudyDay {
  return { now, startsAt: studyDayStartsAt(now, timezone), endsAt: studyDayEndsAt(now, timezone) };
}

function sessionOf(
  { deck, schedules, allowance }: Pick<Studying, "deck" | "schedules" | "allowance">,
  choice: StudyChoice,
) {
  const now = studyDoor().now();
  const counted = new Set<string>();
  for (const [cardId, schedule] of schedules)
    if (utcDay(schedule.lastReviewedAt ?? 0) === utcDay(now)) counted.add(cardId);
  return startSession({
    cardIds: deck.cards.map((card) => card.id),
    schedules,
    day: dayOf(now, allowance),
    choice,
    mayStudy: leftToday(allowance, now),
    counted,
  });
}

function leftToday({ dailyLimit, studiedToday, period }: Allowance, now: number): number {
  if (dailyLimit === null || dailyLimit === -1) return Number.POSITIVE_INFINITY;
  return Math.max(0, dailyLimit - (period === utcDay(now) ? studiedToday : 0));
}

/** Goes on with cards that are not due, when the student asks for them. */
export function studyMore(choice: StudyChoice): void {
  const view = store.get(currentAtom);
  if (view.state !== "ready") return;
  const session = sessionOf(view, choice);
  store.set(currentAtom, { ...view, session, isRevealed: false, shownAt: studyDoor().now(), streaks: [] });
}

export function reveal(): void {
  const view = store.get(currentAtom);
  if (view.state === "ready" && view.session.current !== null) store.set(currentAtom, { ...view, isRevealed: true });
}

let isKeeping = false;

/** One answer after the other: a key that is pressed twice grades one card. */
async function keeping(work: () => Promise<void>): Promise<void> {
  if (isKeeping) return;
  isKeeping = true;
  try {
    await work();
  } catch (error) {
    logTrouble("An answer could not be kept", error);
    notify({ message: t("study.not_kept"), type: "error" });
  } finally {
    isKeeping = false;
  }
}

/** Keeps the answer on this device, then shows the next card. */
export function grade(given: Grade): Promise<void> {
  return keeping(async () => {
    const view = store.get(currentAtom);
    if (view.state !== "ready" || !view.isRevealed || view.session.current === null) return;
    const { deck, session, schedules } = view;
    const now = studyDoor().now();
    const outcome = answerCard(session, {
      reviewId: studyDoor().newId(),
      componentId: deck.componentId,
      grade: given,
      schedule: schedules.get(view.session.current),
      now,
      durationMs: Math.min(now - view.shownAt, LONGEST_ANSWER_MS),
    });
    if (!outcome) return;
    await studyDoor().enqueue("review_add", deck.componentId, outcome.review);
    const answer = outcome.session.answers.at(-1);
    const streak = store.get(streakAtom);
    const before = { ...view, streaks: [...view.streaks, streak] };
    show(before, outcome.session, { cardId: outcome.review.cardId, schedule: answer?.after });
    store.set(streakAtom, streak && advanceStreak(streak, outcome.review.reviewedAt));
  });
}

/** Someone who answers after an hour was away. */
const LONGEST_ANSWER_MS = 3_600_000;

/** Takes the last answer back and shows its card again. */
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

function show(view: Studying, session: Session, change: { cardId: string; schedule: Schedule | undefined }): void {
  const { deck } = view;
  const now = studyDoor().now();
  const schedules = new Map(view.schedules);
  if (change.schedule) schedules.set(change.cardId, change.schedule);
  else schedules.delete(change.cardId);
  const counted = session.counted.size - view.session.counted.size;
  const before = view.allowance.period === utcDay(now) ? view.allowance.studiedToday : 0;
  const studiedToday = Math.max(0, before + counted);
  const allowance = { ...view.allowance, period: utcDay(now), studiedToday };
  store.set(currentAtom, { ...view, session, schedules, allowance, isRevealed: false, shownAt: now });
  const cardIds = deck.cards.map((card) => card.id);
  showDeckDue(deck.componentId, countDue(cardIds, schedules, dayOf(now, allowance)));
  const accountId = studyDoor().accountId();
  if (accountId === undefined) return;
  // The review itself is safe in the queue; this copy only spares the next start a question to the server.
  writeSchedule({ accountId, componentId: deck.componentId }, { ...change, allowance }).catch((error: unknown) =>
    logTrouble("Failed to keep a schedule on this device", error),
  );
}
