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
  /** Days of the calendar until the exam; 0 where it is today. */
  daysLeft: number;
  recall: number;
}

/** A deck while it is studied. */
export interface Studying {
  state: "ready";
  deck: Deck;
  schedules: Schedules;
  session: Session;
  allowance: Allowance;
  terms: DeckTerms;
  params: StudyParams;
  /** What is planned for the deck's exam; null where none lies ahead. */
  plan: DeckPlan | null;
  /** What the session was begun with. */
  bucket: Bucket;
  /** Another mode has answered cards since the session was begun. */
  isSessionOld: boolean;
  /** A card that was just forgotten once too often. */
  leechId: string | null;
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

/** For the files that change it; screens read `studyAtom`. */
export const currentAtom = atom<StudyView>({ state: "loading" });
export const studyAtom = atom((get) => get(currentAtom));

/** Someone who answers after an hour was away. */
export const LONGEST_ANSWER_MS = 3_600_000;

export const chooserFor = (view: Studying, now: number) =>
  chooserOf(view.terms, dayOf(now, view.allowance), view.allowance);

const COUNT_AFTER_MS = 50;
let counting: { timer: ReturnType<typeof setTimeout>; componentId: string; count: () => void } | undefined;

/** Counts what is due once the next card stands there: that looks at every card of the deck, and nobody waits for it. */
function countSoon(componentId: string, count: () => void): void {
  if (counting) clearTimeout(counting.timer);
  if (counting && counting.componentId !== componentId) counting.count();
  const run = () => {
    counting = undefined;
    count();
  };
  counting = { timer: setTimeout(run, COUNT_AFTER_MS), componentId, count };
}

/** Shows what an answer, or its undo, made of the deck, and keeps it on this device. */
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
  // The review itself is safe in the queue; this copy only spares the next start a question to the server.
  writeSchedule({ accountId, componentId }, { ...change, allowance }).catch((error: unknown) =>
    logTrouble("Failed to keep a schedule on this device", error),
  );
}
