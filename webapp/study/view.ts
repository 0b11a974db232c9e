import { atom } from "jotai/vanilla";
import type { StudyParams } from "#shared/study/rules.ts";
import type { Schedule } from "#shared/study/schema.ts";
import { countDue, type Schedules, type Session } from "#shared/study/session.ts";
import { askedIds, countMore, dayOf } from "#shared/study/today.ts";
import type { Bucket, Streak } from "#shared/user/schema.ts";
import { showDeckDue } from "./due.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { writeSchedule, type Allowance, type DeckTerms } from "#shared/study/kept-decks.ts";
import type { Deck } from "./deck.ts";
import { studyDoor } from "./door.ts";
import { chooserOf } from "./terms.ts";

/** The part of an exam's plan that concerns one deck. */
export interface DeckPlan {
  /** Today's cards of this deck, best first. */
  today: readonly string[];
  /** Calendar days until the exam; 0 on the day itself. */
  daysLeft: number;
  recall: number;
}

/** A deck being studied. */
export interface Studying {
  state: "ready";
  deck: Deck;
  schedules: Schedules;
  session: Session;
  allowance: Allowance;
  terms: DeckTerms;
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
  | Studying;

/** Writable, for this feature's state files; screens read `studyAtom`. */
export const currentAtom = atom<StudyView>({ state: "loading" });
export const studyAtom = atom((get) => get(currentAtom));

/** A review that takes longer than an hour counts as an hour: the student was away. */
export const LONGEST_ANSWER_MS = 3_600_000;

export const chooserFor = (view: Studying, now: number) =>
  chooserOf(view.terms, dayOf(now, view.allowance), view.allowance);

const COUNT_AFTER_MS = 50;
let counting: { timer: ReturnType<typeof setTimeout>; componentId: string; count: () => void } | undefined;

/** Counts due cards after the next card is shown, because it scans the whole deck. */
function countSoon(componentId: string, count: () => void): void {
  if (counting) clearTimeout(counting.timer);
  if (counting && counting.componentId !== componentId) counting.count();
  const run = () => {
    counting = undefined;
    count();
  };
  counting = { timer: setTimeout(run, COUNT_AFTER_MS), componentId, count };
}

/** Shows the deck after a review or undo, and caches the schedule on this device. */
export function show(
  view: Studying,
  session: Session,
  change: { cardId: string; schedule: Schedule | undefined },
): void {
  const { deck } = view;
  const now = studyDoor().now();
  const schedules = new Map(view.schedules);
  if (change.schedule) schedules.set(change.cardId, change.schedule);
  else schedules.delete(change.cardId);
  const counted = session.counted.size - view.session.counted.size;
  const allowance = countMore(view.allowance, counted, now);
  store.set(currentAtom, { ...view, session, schedules, allowance, isRevealed: false, shownAt: now });
  const { componentId } = deck;
  countSoon(componentId, () =>
    showDeckDue(componentId, countDue(askedIds(deck, now), schedules, dayOf(now, allowance))),
  );
  const accountId = studyDoor().accountId();
  if (accountId === undefined) return;
  // The review itself is safe in the queue; this cache only saves a request at the next start.
  writeSchedule({ accountId, componentId }, { ...change, allowance }).catch((error: unknown) =>
    logTrouble("Failed to cache a schedule on this device", error),
  );
}
