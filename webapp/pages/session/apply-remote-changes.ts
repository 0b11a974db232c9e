import { atom } from "jotai/vanilla";
import { NoResponse } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Change } from "#shared/sync/schema.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
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

async function ignoreUnreachable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isExpected = error instanceof NoResponse || (error instanceof Failure && error.code === "not_found");
    if (!isExpected) logWarning("Could not apply remote changes", error);
  }
}

/** Single flight per key: changes that arrive during a fetch trigger one more fetch. */
const inFlight = new Map<string, { isStale: boolean }>();

async function runSingleFlight(key: string, work: () => Promise<void>): Promise<void> {
  const running = inFlight.get(key);
  if (running) {
    running.isStale = true;
    return;
  }
  const flight = { isStale: true };
  inFlight.set(key, flight);
  while (flight.isStale) {
    flight.isStale = false;
    await ignoreUnreachable(work);
  }
  inFlight.delete(key);
}

async function refreshComponent(session: PageSession, pageId: string, id: string): Promise<void> {
  const component = await reloadComponent(pageId, id);
  if (component) session.receive(id, component.content, component.version);
}

/** Applies remote changes to the open page; the caret and unsaved edits stay. */
export function applyRemoteChanges(session: PageSession | undefined, pageId: string, changes: readonly Change[]): void {
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
  if (isWholePage) void runSingleFlight(pageId, () => reloadPage(pageId));
  else for (const id of changedIds) void runSingleFlight(id, () => refreshComponent(session, pageId, id));
}
