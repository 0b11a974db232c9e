import { countDeckDue, stepStudy, type StudyEvent, type StudyStep } from "#shared/study/controller.ts";
import { writeSchedule } from "#shared/study/deck/cached-decks.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { setDeckCounts } from "../due.ts";
import { getStudyPort } from "../study-port.ts";
import { studyStateAtom, type ActiveStudy } from "./study-view.ts";

export function readActiveStudy(): ActiveStudy | undefined {
  const view = store.get(studyStateAtom);
  return view.state === "ready" ? view : undefined;
}

/** Applies an event that stores nothing. */
export function showEvent(event: StudyEvent): void {
  const view = readActiveStudy();
  if (view) store.set(studyStateAtom, stepStudy(view, event, getStudyPort().now()).state);
}

/** Stores the event's requests on this device, then shows the new state; undefined if the event changes nothing. */
export async function storeEvent(event: StudyEvent): Promise<StudyStep<ActiveStudy> | undefined> {
  const view = readActiveStudy();
  if (!view) return undefined;
  const { componentId } = view.deck;
  const now = getStudyPort().now();
  const step = stepStudy(view, event, now);
  if (step.state === view) return undefined;
  await Promise.all(step.requests.map(({ type, data }) => getStudyPort().enqueue(type, componentId, data)));
  cacheSchedule(componentId, step);
  const latest = readActiveStudy();
  // The student may have edited a card, or left the deck, while the requests were stored.
  if (latest?.deck.componentId !== componentId) return step;
  store.set(studyStateAtom, latest === view ? step.state : stepStudy(latest, event, now).state);
  return step;
}

function cacheSchedule(componentId: string, { state, cached }: StudyStep<ActiveStudy>): void {
  if (!cached) return;
  const now = getStudyPort().now();
  scheduleCount(componentId, () => setDeckCounts(componentId, countDeckDue(state, now)));
  const accountId = getStudyPort().accountId();
  if (accountId === undefined) return;
  // A failure is only logged, because the queue has the review. This cache only saves a request at the next start.
  writeSchedule({ accountId, componentId }, cached).catch((error: unknown) =>
    logWarning("Failed to cache a schedule on this device", error),
  );
}

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
