import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Change } from "#shared/sync/schema.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { reloadComponent, reloadPage } from "#webapp/offline/sync.ts";
import type { PageSession } from "./page-session.ts";

const conflictsAtom = atom<{ pageId: string; ids: readonly string[] }>({ pageId: "", ids: [] });
/** Components of the open page that two devices edited at once: the other text is in their history. */
export const pageConflictsAtom = atom((get) => get(conflictsAtom));

export function addConflict(pageId: string, componentId: string): void {
  store.set(conflictsAtom, (held) => {
    const ids = held.pageId === pageId ? held.ids : [];
    return ids.includes(componentId) ? held : { pageId, ids: [...ids, componentId] };
  });
}

export function clearConflicts(): void {
  store.set(conflictsAtom, { pageId: "", ids: [] });
}

async function unlessUnreached(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isExpected = error instanceof NoAnswer || (error instanceof Failure && error.code === "not_found");
    if (!isExpected) logTrouble("Could not apply remote changes", error);
  }
}

/** Single flight per key: changes that arrive during a fetch trigger one more fetch. */
const underway = new Map<string, { isStale: boolean }>();

async function once(key: string, work: () => Promise<void>): Promise<void> {
  const running = underway.get(key);
  if (running) {
    running.isStale = true;
    return;
  }
  const mine = { isStale: true };
  underway.set(key, mine);
  while (mine.isStale) {
    mine.isStale = false;
    await unlessUnreached(work);
  }
  underway.delete(key);
}

async function refreshComponent(session: PageSession, pageId: string, id: string): Promise<void> {
  const component = await reloadComponent(pageId, id);
  if (component) session.receive(id, component.content, component.version);
}

/** Applies remote changes to the open page; the caret and unsaved edits stay. */
export function hearChanges(session: PageSession | undefined, pageId: string, changes: readonly Change[]): void {
  if (!session) return;
  const touches = (id: string) => id === pageId || session.has(id);
  const contents = new Set<string>();
  let isWhole = false;
  for (const { kind, ids, conflict } of changes) {
    const here = ids.filter(touches);
    if (kind === "content") for (const id of here) contents.add(id);
    else if (kind === "everything" || (kind === "page" && here.length > 0)) isWhole = true;
    if (conflict) for (const id of here) addConflict(pageId, id);
  }
  if (isWhole) void once(pageId, () => reloadPage(pageId));
  else for (const id of contents) void once(id, () => refreshComponent(session, pageId, id));
}
