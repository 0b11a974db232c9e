import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { digestOf } from "#shared/pages/rules.ts";
import type { Component } from "#shared/pages/schema.ts";
import { applyToPage, changesPage, settlePage, type PageState } from "#shared/sync/overlay.ts";
import { createSyncQueue, type SyncQueue } from "#shared/sync/queue.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import type { TabMessage, ToldOutcome } from "#shared/sync/tell.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { askToPersist, listKeptPages, readPage, removePage, writePage } from "#shared/sync/local-store.ts";
import { settleKeptPages } from "./kept-pages.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { queueStorage } from "./queue-storage.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { wipeSchedules } from "#shared/study/kept-decks.ts";
import { diskDeniedAtom, diskFullAtom, syncStatusAtom } from "./sync-status.ts";
import { lock, openChannel } from "./tabs.ts";
import { wipeUploads } from "#webapp/uploads/upload-store.ts";

/** Idle time after an acknowledgement before the shown pages are compared with the server. */
const COMPARE_AFTER_MS = 2_000;

interface Running {
  queue: SyncQueue;
  /** Resolves when the stored queue has been read from disk. */
  started: Promise<void>;
  end: () => void;
}

let running: Running | undefined;

function random(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / 2 ** 32;
}

function begin(accountId: string): Running {
  const channel = openChannel<TabMessage>("lamplight-sync");
  const queue = createSyncQueue({
    accountId,
    storage: queueStorage,
    send: (batches) => {
      // The server checks it as well: what is queued for one account goes out with its own token or not at all.
      if (store.get(userAtom)?._id !== accountId) throw new Failure("signed_out", "sign_in");
      return client.sync.sendBatches({ accountId, batches });
    },
    clock: { now: () => Date.now() },
    schedule: (work, delayMs) => {
      const timer = setTimeout(work, delayMs);
      return () => clearTimeout(timer);
    },
    random,
    lock,
    online: () => navigator.onLine,
    ...(channel ? { channel } : {}),
    onNotice: (message) => notify({ message, type: "error" }),
  });
  const stops = [
    queue.subscribe(() => store.set(syncStatusAtom, queue.status())),
    queue.onOutcomes((outcomes, isSentHere) => void hearOutcomes(queue, outcomes, isSentHere)),
    listenToWindow(queue),
  ];
  void askToPersist().catch((error: unknown) => logTrouble("Persistent storage was not granted", error));
  const started = queue.start().catch((error: unknown) => logTrouble("Could not read unsaved changes", error));
  return {
    queue,
    started,
    end: () => {
      for (const stop of stops) stop();
      held.clear();
      store.set(syncStatusAtom, { state: "saved", unsaved: 0, parked: [] });
    },
  };
}

function listenToWindow(queue: SyncQueue): () => void {
  const connection = () => void queue.connectionChanged();
  const leaving = () => {
    if (document.visibilityState === "hidden") void queue.flush();
  };
  // Changes that exist only in this tab would be lost.
  const closing = (event: BeforeUnloadEvent) => {
    const isHereAlone = store.get(diskFullAtom) || store.get(diskDeniedAtom);
    if (isHereAlone && queue.status().unsaved > 0) event.preventDefault();
  };
  window.addEventListener("beforeunload", closing);
  window.addEventListener("online", connection);
  window.addEventListener("offline", connection);
  window.addEventListener("pagehide", leaving);
  document.addEventListener("visibilitychange", leaving);
  return () => {
    window.removeEventListener("beforeunload", closing);
    window.removeEventListener("online", connection);
    window.removeEventListener("offline", connection);
    window.removeEventListener("pagehide", leaving);
    document.removeEventListener("visibilitychange", leaving);
  };
}

function end(): void {
  if (!running) return;
  void running.queue.stop();
  running.end();
  running = undefined;
}

// Each account has its own queue; the previous account's unsaved changes stay on disk.
store.sub(userAtom, () => {
  if (running && store.get(userAtom)?._id !== running.queue.accountId) end();
});

function runningNow(): Running {
  const accountId = store.get(userAtom)?._id;
  if (accountId === undefined) throw new NoAnswer("aborted");
  if (running?.queue.accountId !== accountId) {
    end();
    running = begin(accountId);
  }
  return running;
}

/** The signed-in account's queue; the first call starts sending stored changes. */
export const queue = (): SyncQueue => runningNow().queue;

/** Pages that this tab has shown, as last received from the server. */
const held = new Map<string, PageState>();

/** The last version of a component received from the server; undefined if this tab never received it. */
export function knownVersion(componentId: string): number | undefined {
  for (const { components } of held.values())
    for (const { _id, version } of components) if (_id === componentId) return version;
  return undefined;
}

/** A page as cached in this browser; undefined if it was never opened here. */
export async function cachedPage(pageId: string): Promise<PageState | undefined> {
  const { queue: mine, started } = runningNow();
  await started;
  try {
    const state = await readPage(mine.accountId, pageId);
    return state && (await withMovedHere(mine, pageId, newestOf(state, held.get(pageId))));
  } catch (error) {
    logTrouble("Could not read a cached page", error);
    return undefined;
  }
}

/** The disk cache may lag behind the pages in memory. */
function newestOf(state: PageState, told: PageState | undefined): PageState {
  const newer = new Map(told?.components.map((component) => [component._id, component]));
  const components = state.components.map((component) => {
    const other = newer.get(component._id);
    return other && other.version > component.version ? other : component;
  });
  return { ...state, components };
}

/** Components moved here offline are taken from the page they came from. */
async function withMovedHere(mine: SyncQueue, pageId: string, state: PageState): Promise<PageState> {
  const moved = mine.unsaved().filter((r) => r.type === "component_move" && r.data.toPageId === pageId);
  if (moved.length === 0) return state;
  const ids = new Set(moved.map((r) => r.resourceId));
  const others = (await listKeptPages(mine.accountId)).flatMap((page) => page.components);
  const known = new Set(state.components.map(({ _id }) => _id));
  return {
    ...state,
    components: [...state.components, ...others.filter(({ _id }) => ids.has(_id) && !known.has(_id))],
  };
}

/** Caches a page as received from the server, for offline use. */
export async function keepPage(state: PageState): Promise<void> {
  const { accountId } = queue();
  if (!state.page) return;
  held.set(state.page._id, state);
  try {
    await writePage(accountId, state.page._id, state);
  } catch (error) {
    logTrouble("Could not cache a page", error);
  }
}

/** Debounced cache writes by page, after remote changes. */
const toKeep = new Map<string, ReturnType<typeof setTimeout>>();
const KEEP_AFTER_MS = 1_500;

/** Like `cachePage`, but debounced: a page with thousands of components is not rewritten on every remote keystroke. */
function keepLater(state: PageState): void {
  const [pageId, mine] = [state.page?._id, running];
  if (pageId === undefined) return;
  held.set(pageId, state);
  clearTimeout(toKeep.get(pageId));
  const write = () => {
    toKeep.delete(pageId);
    const latest = held.get(pageId);
    if (latest && running === mine) void keepPage(latest);
  };
  toKeep.set(pageId, setTimeout(write, KEEP_AFTER_MS));
}

/** Removes a page deleted elsewhere from the cache. */
async function forgetPage(pageId: string): Promise<void> {
  held.delete(pageId);
  await removePage(queue().accountId, pageId);
}

const isMadeHere = (pageId: string) =>
  queue()
    .pendingFor(pageId)
    .some(({ type }) => type === "page_create");

/** A page created here must be synced before it can be fetched. */
async function sendFirst(pageId: string): Promise<void> {
  if (isMadeHere(pageId)) await queue().flush();
  if (isMadeHere(pageId)) throw new NoAnswer("network");
}

type Taken = Parameters<typeof settlePage>[0];

/** Runs the work and returns the changes acknowledged meanwhile. */
async function notingTaken<T>(mine: SyncQueue, work: () => Promise<T>): Promise<{ result: T; taken: Taken }> {
  const told = new Map<string, ToldOutcome>();
  const stopHearing = mine.onOutcomes((outcomes) => {
    for (const outcome of outcomes) told.set(outcome.request.id, outcome);
  });
  const stopCollecting = mine.leaving.collect();
  try {
    const result = await work();
    // Another tab may receive the outcome first: what left the queue without an outcome here was acknowledged as well.
    const unheard = stopCollecting().filter(({ id }) => !told.has(id));
    return { result, taken: [...told.values(), ...unheard.map((request) => ({ request }))] };
  } finally {
    stopHearing();
    stopCollecting();
  }
}

/** Fetches a page and applies changes acknowledged since, so that it is never older than what this browser has seen. */
export async function fetchPage(pageId: string): Promise<PageState> {
  await sendFirst(pageId);
  const mine = queue();
  const { result, taken } = await notingTaken(mine, async () => {
    const fetched = await client.pages.getPage({ id: pageId });
    await keepPage(fetched);
    return fetched;
  });
  if (taken.length === 0) return result;
  const settled = settlePage(taken, { accountId: mine.accountId, pageId }, result);
  void keepPage(settled);
  return settled;
}

/** From the server, or from the cache if it is unreachable, with unsaved changes applied. */
export async function loadPage(pageId: string): Promise<PageState> {
  const { queue: mine, started } = runningNow();
  await started;
  const state = await fetchOrCached(pageId);
  return applyToPage(mine.unsaved(), { accountId: mine.accountId, pageId }, state);
}

async function fetchOrCached(pageId: string): Promise<PageState> {
  try {
    return await fetchPage(pageId);
  } catch (error) {
    // Created here and not synced yet: all of it is in the queue.
    if (isMadeHere(pageId)) return (await cachedPage(pageId)) ?? { page: undefined, components: [] };
    if (error instanceof Failure && error.code === "not_found") await forgetPage(pageId);
    const state = await cachedPage(pageId);
    if (state) return state;
    throw error;
  }
}

const reloadListeners = new Set<(state: PageState) => void>();

/** Notifies when a page's content on the server differs from what this tab showed. */
export function onPageReloaded(listener: (state: PageState) => void): () => void {
  reloadListeners.add(listener);
  return () => reloadListeners.delete(listener);
}

let comparison: ReturnType<typeof setTimeout> | undefined;

async function hearOutcomes(mine: SyncQueue, told: readonly ToldOutcome[], isSentHere: boolean): Promise<void> {
  const { accountId } = mine;
  // Writing a large page takes long; reviews alone do not require it.
  const outcomes = told.filter(({ request, version }) => version !== undefined || changesPage(request));
  if (outcomes.length === 0) return;
  const elsewhere = new Set(outcomes);
  for (const [pageId, state] of held) {
    const ids = new Set([pageId, ...state.components.map(({ _id }) => _id)]);
    const touches = ({ request: { type, resourceId, data } }: ToldOutcome) =>
      ids.has(resourceId) || (type === "component_create" && data.parentId === pageId);
    const mineHere = outcomes.filter(touches);
    for (const outcome of mineHere) elsewhere.delete(outcome);
    if (mineHere.length > 0) await keepPage(settlePage(mineHere, { accountId, pageId }, state));
  }
  clearTimeout(comparison);
  comparison = setTimeout(() => void compare(mine), COMPARE_AFTER_MS);
  if (isSentHere && elsewhere.size > 0)
    await settleKeptPages(accountId, [...elsewhere]).catch((error: unknown) =>
      logTrouble("Could not update cached pages", error),
    );
}

/** Compares component count and hash of the shown pages with the server and refetches pages that differ. */
async function compare(mine: SyncQueue): Promise<void> {
  if (mine.status().state !== "saved") return;
  for (const [pageId, state] of held)
    try {
      const { pages } = await client.sync.getDigest({ pageId });
      const here = digestOf(state.components);
      const there = pages.find((page) => page.pageId === pageId);
      if (!there || (there.hash === here.hash && there.componentCount === here.componentCount)) continue;
      await reloadPage(pageId);
    } catch (error) {
      if (!(error instanceof NoAnswer)) logTrouble("Could not compare a page with the server", error);
    }
}

/** Compares immediately, when remote changes may have been missed. */
export const comparePages = (): Promise<void> => compare(queue());

/** Fetches a page changed elsewhere and shows it with unsaved changes applied. */
export async function reloadPage(pageId: string): Promise<void> {
  const mine = queue();
  const fetched = await fetchPage(pageId);
  const shown = applyToPage(mine.unsaved(), { accountId: mine.accountId, pageId }, fetched);
  for (const listener of reloadListeners) listener(shown);
}

/**
 * Fetches a component changed elsewhere and caches it with its page. Undefined if local changes to it are pending or
 * were acknowledged meanwhile: the response may then be outdated.
 */
export async function reloadComponent(pageId: string, id: string): Promise<Component | undefined> {
  const mine = queue();
  if (mine.pendingFor(id).length > 0) return undefined;
  const { result, taken } = await notingTaken(mine, () => client.pages.getComponent({ id }));
  const { component } = result;
  if (mine.pendingFor(id).length > 0 || taken.some(({ request }) => request.resourceId === id)) return undefined;
  const state = held.get(pageId);
  if (state) keepLater({ ...state, components: state.components.map((c) => (c._id === id ? component : c)) });
  return component;
}

/** First step of signing out: flushes the queue and returns what is still unsaved. */
export async function flushForSignOut(): Promise<readonly SyncRequest[]> {
  const { queue: mine, started } = runningNow();
  await started;
  await mine.flush();
  return mine.unsaved();
}

/** Last step of signing out, after confirmation: removes all of the account's data from this browser. */
export async function wipeAccount(): Promise<void> {
  const { queue: mine } = runningNow();
  await mine.wipe();
  await wipeSchedules(mine.accountId);
  await wipeUploads(mine.accountId);
  end();
}
