import { atom } from "jotai/vanilla";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Change } from "#shared/sync/schema.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { pauseUntilOnlineOrShown } from "#webapp/offline/pause-until-online.ts";
import { reloadComponent, reloadPage } from "#webapp/offline/sync.ts";
import type { PageSession } from "./page-session.ts";

const conflictsAtom = atom<{ pageId: string; ids: readonly string[] }>({ pageId: "", ids: [] });
/** Components of the open page that two devices edited at the same time. The replaced text is in their history. */
export const pageConflictsAtom = atom((get) => get(conflictsAtom));

export function addConflict(pageId: string, componentId: string): void {
  store.set(conflictsAtom, (current) => {
    const ids = current.pageId === pageId ? current.ids : [];
    return ids.includes(componentId) ? current : { pageId, ids: [...ids, componentId] };
  });
}

export function clearConflicts(): void {
  store.set(conflictsAtom, { pageId: "", ids: [] });
}

/** First and longest wait before what could not be fetched is fetched again. */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;

const isTemporary = (error: unknown) =>
  error instanceof NoResponseError || (error instanceof Failure && (error.status >= 500 || error.status === 429));

/** False if the server could not be reached or could not answer. */
async function isDone(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isTemporary(error)) return false;
    if (!(error instanceof Failure && error.code === "not_found")) logWarning("Could not apply remote changes", error);
    return true;
  }
}

interface Flight {
  isStale: boolean;
  /** Aborting it ends the wait before the next attempt. */
  waiting?: AbortController;
}

/** Single flight per key: changes that arrive during a fetch trigger one more fetch. */
const inFlight = new Map<string, Flight>();

/**
 * Runs `work` until it has fetched the latest change or the page is closed: the stream does not name a change again, so
 * one that was not fetched would stay missing.
 */
async function runSingleFlight(key: string, isOpen: () => boolean, work: () => Promise<void>): Promise<void> {
  const running = inFlight.get(key);
  if (running) {
    running.isStale = true;
    running.waiting?.abort();
    return;
  }
  const flight: Flight = { isStale: true };
  inFlight.set(key, flight);
  let retryMs = FIRST_RETRY_MS;
  while (flight.isStale && isOpen()) {
    flight.isStale = false;
    if (await isDone(work)) continue;
    flight.isStale = true;
    flight.waiting = new AbortController();
    await pauseUntilOnlineOrShown(retryMs, flight.waiting.signal);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }
  inFlight.delete(key);
}

type FindSession = () => PageSession | undefined;

async function refreshComponent(findSession: FindSession, pageId: string, id: string): Promise<void> {
  const component = await reloadComponent(pageId, id);
  if (component) findSession()?.receive(id, component.content, component.version);
}

/** Applies remote changes to the page while it is open; the caret and unsaved edits stay. */
export function applyRemoteChanges(findSession: FindSession, pageId: string, changes: readonly Change[]): void {
  const session = findSession();
  if (!session) return;
  const isOnPage = (id: string) => id === pageId || session.has(id);
  const changedIds = new Set<string>();
  let isWholePage = false;
  for (const { kind, ids, conflict } of changes) {
    const idsOnPage = ids.filter(isOnPage);
    if (kind === "content") for (const id of idsOnPage) changedIds.add(id);
    else if (kind === "everything" || (kind === "page" && idsOnPage.length > 0)) isWholePage = true;
    if (conflict) for (const id of idsOnPage) addConflict(pageId, id);
  }
  const isOpen = () => findSession() !== undefined;
  if (isWholePage) void runSingleFlight(pageId, isOpen, () => reloadPage(pageId));
  else for (const id of changedIds) void runSingleFlight(id, isOpen, () => refreshComponent(findSession, pageId, id));
}
