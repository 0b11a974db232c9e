import { atom } from "jotai/vanilla";
import type { StudyParams } from "#shared/study/rules.ts";
import type { Schedule } from "#shared/study/schema.ts";
import { countDue, type Schedules, type Session } from "#shared/study/session.ts";
import { studiableCardIds, addToCount, studyDayOf } from "#shared/study/today.ts";
import type { Bucket, Streak } from "#shared/user/schema.ts";
import { showDeckDue } from "../due.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { writeSchedule, type Allowance, type SchedulingInput } from "#shared/study/cached-decks.ts";
import type { Deck } from "../deck.ts";
import { getStudyPort } from "../study-port.ts";
import { createIntervalChooser } from "../scheduling-params.ts";

/** The part of an exam's plan that concerns one deck. */
export interface DeckPlan {
  /** Today's cards of this deck, best first. */
  today: readonly string[];
  /** Calendar days until the exam; 0 on the day itself. */
  daysLeft: number;
  recall: number;
}

/** A deck being studied. */
export interface ActiveStudy {
  state: "ready";
  deck: Deck;
  schedules: Schedules;
  session: Session;
  allowance: Allowance;
  terms: SchedulingInput;
  params: StudyParams;
  /** The deck's exam plan; null without an exam ahead. */
  plan: DeckPlan | null;
  /** The bucket the session was started with. */
  bucket: Bucket;
  /** Another mode has reviewed cards since the session was built. */
  isSessionOld: boolean;
  /** A card that has just become a leech. */
  leechId: string | null;
  isRevealed: boolean;
  /** The server was unreachable: cards and schedules are from this device's cache. */
  isFromDevice: boolean;
  /** When the current card was shown. */
  shownAt: number;
  /** The streak before each review of the session, for undo. */
  streaks: readonly (Streak | null)[];
}

export type StudyView =
  | { state: "loading" }
  | { state: "failed"; reason: "missing" | "offline" | "trouble" }
  | ActiveStudy;

/** Writable, for this feature's state files; screens read `studyAtom`. */
export const studyStateAtom = atom<StudyView>({ state: "loading" });
export const studyAtom = atom((get) => get(studyStateAtom));

/** A review that takes longer than an hour counts as an hour: the student was away. */
export const MAX_REVIEW_DURATION_MS = 3_600_000;

export const createChooserFor = (view: ActiveStudy, now: number) =>
  createIntervalChooser(view.terms, studyDayOf(now, view.allowance), view.allowance);

const COUNT_DELAY_MS = 50;
let pendingCount: { timer: ReturnType<typeof setTimeout>; componentId: string; count: () => void } | undefined;

/** Counts due cards after the next card is shown, because it scans the whole deck. */
function scheduleCount(componentId: string, count: () => void): void {
  if (pendingCount) clearTimeout(pendingCount.timer);
  if (pendingCount && pendingCount.componentId !== componentId) pendingCount.count();
  const run = () => {
    pendingCount = undefined;
    count();
  };
  pendingCount = { timer: setTimeout(run, COUNT_DELAY_MS), componentId, count };
}

/** Shows the deck after a review or undo, and caches the schedule on this device. */
export function applyReview(
  view: ActiveStudy,
  session: Session,
  change: { cardId: string; schedule: Schedule | undefined },
): void {
  const { deck } = view;
  const now = getStudyPort().now();
  const schedules = new Map(view.schedules);
  if (change.schedule) schedules.set(change.cardId, change.schedule);
  else schedules.delete(change.cardId);
  const counted = session.counted.size - view.session.counted.size;
  const allowance = addToCount(view.allowance, counted, now);
  store.set(studyStateAtom, { ...view, session, schedules, allowance, isRevealed: false, shownAt: now });
  const { componentId } = deck;
  scheduleCount(componentId, () =>
    showDeckDue(componentId, countDue(studiableCardIds(deck, now), schedules, studyDayOf(now, allowance))),
  );
  const accountId = getStudyPort().accountId();
  if (accountId === undefined) return;
  // The review itself is safe in the queue; this cache only saves a request at the next start.
  writeSchedule({ accountId, componentId }, { ...change, allowance }).catch((error: unknown) =>
    logWarning("Failed to cache a schedule on this device", error),
  );
}
