import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { pageDigest } from "#shared/pages/rules.ts";
import type { Component } from "#shared/pages/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { applyToPage, changesPage, applyAcknowledgedToPage, type PageState } from "#shared/sync/overlay.ts";
import { createSyncQueue, type SyncQueue } from "#shared/sync/queue.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import type { TabMessage, ClientOutcome } from "#shared/sync/outcomes.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import {
  requestPersistentStorage,
  listCachedPages,
  readCachedPage,
  removeCachedPage,
  writeCachedPage,
} from "#shared/sync/storage/local-store.ts";
import { wipeDrafts } from "./draft-store.ts";
import { applyToCachedPages } from "./page-cache.ts";
import { random } from "#webapp/app/browser/random.ts";
import { logWarning } from "#webapp/app/log.ts";
import { queueStorage } from "./queue-storage.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { wipeStudyData } from "#shared/study/deck/cached-decks.ts";
import { syncStatusAtom } from "./sync-status.ts";
import { lock, openChannel } from "./tabs.ts";
import { removeStoredUploads } from "#webapp/uploads/upload-store.ts";
import { listenToWindowEvents } from "./window-events.ts";

/** Idle time after an acknowledgement before the shown pages are compared with the server. */
const COMPARE_DELAY_MS = 2_000;

interface SyncSession {
  queue: SyncQueue;
  /** Resolves when the stored queue has been read from disk. */
  started: Promise<void>;
  stop: () => void;
}

let session: SyncSession | undefined;

function startSync(accountId: string): SyncSession {
  const channel = openChannel<TabMessage>("lamplight-sync");
  const queue = createSyncQueue({
    accountId,
    storage: queueStorage,
    send: (batches) => {
      // Changes must only be sent with the token of their own account. The server checks this too.
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
    onParked: () => notify({ message: t("failures.sync_failed"), type: "error" }),
  });
  const stopCallbacks = [
    queue.subscribe(() => store.set(syncStatusAtom, queue.status())),
    queue.onOutcomes((outcomes, isSentHere) => void handleOutcomes(queue, outcomes, isSentHere)),
    listenToWindowEvents(queue),
  ];
  void requestPersistentStorage().catch((error: unknown) => logWarning("Persistent storage was not granted", error));
  const started = queue.start().catch((error: unknown) => logWarning("Could not read unsaved changes", error));
  return {
    queue,
    started,
    stop: () => {
      for (const stop of stopCallbacks) stop();
      shownPages.clear();
      store.set(syncStatusAtom, { state: "saved", unsaved: 0, parked: [] });
    },
  };
}

function stopSync(): void {
  if (!session) return;
  void session.queue.stop();
  session.stop();
  session = undefined;
}

// Each account has its own queue. The previous account's unsaved changes stay on disk.
store.sub(userAtom, () => {
  if (session && store.get(userAtom)?._id !== session.queue.accountId) stopSync();
});

function requireSyncSession(): SyncSession {
  const accountId = store.get(userAtom)?._id;
  if (accountId === undefined) throw new NoResponseError("aborted");
  if (session?.queue.accountId !== accountId) {
    stopSync();
    session = startSync(accountId);
  }
  return session;
}

/** The signed-in account's queue. The first call starts to send stored changes. */
export const queue = (): SyncQueue => requireSyncSession().queue;

/** Pages that this tab has shown, as last received from the server. */
const shownPages = new Map<string, PageState>();

/** The last version of a component received from the server; undefined if this tab never received it. */
export function knownVersion(componentId: string): number | undefined {
  for (const { components } of shownPages.values())
    for (const { _id, version } of components) if (_id === componentId) return version;
  return undefined;
}

/** The cached state of a page; undefined if the page was never opened in this browser. */
export async function findCachedPage(pageId: string): Promise<PageState | undefined> {
  const { queue: syncQueue, started } = requireSyncSession();
  await started;
  try {
    const state = await readCachedPage(syncQueue.accountId, pageId);
    return state && (await withLocalMoves(syncQueue, pageId, mergeNewest(state, shownPages.get(pageId))));
  } catch (error) {
    logWarning("Could not read a cached page", error);
    return undefined;
  }
}

/** Takes newer components from the page in memory, because the disk cache may lag behind. */
function mergeNewest(state: PageState, shown: PageState | undefined): PageState {
  const newer = new Map(shown?.components.map((component) => [component._id, component]));
  const components = state.components.map((component) => {
    const other = newer.get(component._id);
    return other && other.version > component.version ? other : component;
  });
  return { ...state, components };
}

/** Adds components that were moved here offline. They are taken from their cached former page. */
async function withLocalMoves(syncQueue: SyncQueue, pageId: string, state: PageState): Promise<PageState> {
  const moved = syncQueue.unsaved().filter((r) => r.type === "component_move" && r.data.toPageId === pageId);
  if (moved.length === 0) return state;
  const ids = new Set(moved.map((r) => r.resourceId));
  const cachedComponents = (await listCachedPages(syncQueue.accountId)).flatMap((page) => page.components);
  const known = new Set(state.components.map(({ _id }) => _id));
  return {
    ...state,
    components: [...state.components, ...cachedComponents.filter(({ _id }) => ids.has(_id) && !known.has(_id))],
  };
}

/** Caches a page for offline use. */
export async function cachePage(state: PageState): Promise<void> {
  const { accountId } = queue();
  if (!state.page) return;
  shownPages.set(state.page._id, state);
  try {
    await writeCachedPage(accountId, state.page._id, state);
  } catch (error) {
    logWarning("Could not cache a page", error);
  }
}

/** Debounced cache writes by page, after remote changes. */
const cacheTimers = new Map<string, ReturnType<typeof setTimeout>>();
const CACHE_DEBOUNCE_MS = 1_500;

/** Like `cachePage`, but debounced, so that a large page is not rewritten on every remote keystroke. */
function cachePageLater(state: PageState): void {
  const [pageId, syncQueue] = [state.page?._id, session];
  if (pageId === undefined) return;
  shownPages.set(pageId, state);
  clearTimeout(cacheTimers.get(pageId));
  const write = () => {
    cacheTimers.delete(pageId);
    const latest = shownPages.get(pageId);
    if (latest && session === syncQueue) void cachePage(latest);
  };
  cacheTimers.set(pageId, setTimeout(write, CACHE_DEBOUNCE_MS));
}

/** Removes a page from the cache that was deleted on another device. */
async function removeFromCache(pageId: string): Promise<void> {
  shownPages.delete(pageId);
  await removeCachedPage(queue().accountId, pageId);
}

const isCreatedHere = (pageId: string) =>
  queue()
    .pendingFor(pageId)
    .some(({ type }) => type === "page_create");

/** Syncs the creation of a page, because the page cannot be fetched before. Throws if that fails. */
async function syncCreation(pageId: string): Promise<void> {
  if (isCreatedHere(pageId)) await queue().flush();
  if (isCreatedHere(pageId)) throw new NoResponseError("network");
}

type AcknowledgedChanges = Parameters<typeof applyAcknowledgedToPage>[0];

/** Runs the work, and returns its result and the changes that were acknowledged in the meantime. */
export async function collectAcknowledged<T>(
  syncQueue: SyncQueue,
  work: () => Promise<T>,
): Promise<{ result: T; acknowledged: AcknowledgedChanges }> {
  const clientOutcomes = new Map<string, ClientOutcome>();
  const unsubscribe = syncQueue.onOutcomes((outcomes) => {
    for (const outcome of outcomes) clientOutcomes.set(outcome.request.id, outcome);
  });
  const stopCollecting = syncQueue.ackWindow.collect();
  try {
    const result = await work();
    // A change that left the queue without an outcome here was acknowledged too, because another tab may get the
    // outcome first.
    const missed = stopCollecting().filter(({ id }) => !clientOutcomes.has(id));
    return { result, acknowledged: [...clientOutcomes.values(), ...missed.map((request) => ({ request }))] };
  } finally {
    unsubscribe();
    stopCollecting();
  }
}

/** Fetches a page and applies changes acknowledged during the request, because the response may lack these changes. */
export async function fetchPage(pageId: string): Promise<PageState> {
  await syncCreation(pageId);
  const syncQueue = queue();
  const { result, acknowledged } = await collectAcknowledged(syncQueue, async () => {
    const fetched = await client.pages.getPage({ id: pageId });
    // Another account may have signed in meanwhile, which must not have this page in its cache or on its screen.
    if (session?.queue !== syncQueue) throw new NoResponseError("aborted");
    await cachePage(fetched);
    return fetched;
  });
  if (session?.queue !== syncQueue) throw new NoResponseError("aborted");
  if (acknowledged.length === 0) return result;
  const updatedState = applyAcknowledgedToPage(acknowledged, { accountId: syncQueue.accountId, pageId }, result);
  void cachePage(updatedState);
  return updatedState;
}

/** Loads a page from the server, or from the cache if that fails, and applies unsaved changes. */
export async function loadPage(pageId: string): Promise<PageState> {
  const { queue: syncQueue, started } = requireSyncSession();
  await started;
  const state = await fetchOrCached(pageId);
  return applyToPage(syncQueue.unsaved(), { accountId: syncQueue.accountId, pageId }, state);
}

async function fetchOrCached(pageId: string): Promise<PageState> {
  try {
    return await fetchPage(pageId);
  } catch (error) {
    // The page was created here and is not synced yet, so all its content is in the queue.
    if (isCreatedHere(pageId)) return (await findCachedPage(pageId)) ?? { page: undefined, components: [] };
    if (error instanceof Failure && error.code === "not_found") await removeFromCache(pageId);
    const state = await findCachedPage(pageId);
    if (state) return state;
    throw error;
  }
}

const reloadListeners = new Set<(state: PageState) => void>();

/** Subscribes to pages that were fetched again because they differ from what this tab shows. */
export function onPageReloaded(listener: (state: PageState) => void): () => void {
  reloadListeners.add(listener);
  return () => reloadListeners.delete(listener);
}

let comparison: ReturnType<typeof setTimeout> | undefined;

async function handleOutcomes(
  syncQueue: SyncQueue,
  clientOutcomes: readonly ClientOutcome[],
  isSentHere: boolean,
): Promise<void> {
  const { accountId } = syncQueue;
  // Reviews do not change a page, and writing a large page takes long.
  const outcomes = clientOutcomes.filter(({ request, version }) => version !== undefined || changesPage(request));
  if (outcomes.length === 0) return;
  const notShown = new Set(outcomes);
  for (const [pageId, state] of shownPages) {
    const ids = new Set([pageId, ...state.components.map(({ _id }) => _id)]);
    const touches = ({ request: { type, resourceId, data } }: ClientOutcome) =>
      ids.has(resourceId) || (type === "component_create" && data.parentId === pageId);
    const pageOutcomes = outcomes.filter(touches);
    for (const outcome of pageOutcomes) notShown.delete(outcome);
    if (pageOutcomes.length > 0) await cachePage(applyAcknowledgedToPage(pageOutcomes, { accountId, pageId }, state));
  }
  clearTimeout(comparison);
  comparison = setTimeout(() => void compareWithServer(syncQueue), COMPARE_DELAY_MS);
  if (isSentHere && notShown.size > 0)
    await applyToCachedPages(accountId, [...notShown]).catch((error: unknown) =>
      logWarning("Could not update cached pages", error),
    );
}

/** Compares the component count and hash of the shown pages with the server, and refetches pages that differ. */
async function compareWithServer(syncQueue: SyncQueue): Promise<void> {
  if (syncQueue.status().state !== "saved") return;
  for (const [pageId, state] of shownPages)
    try {
      const { pages } = await client.sync.getDigest({ pageId });
      const localDigest = pageDigest(state.components);
      const serverDigest = pages.find((page) => page.pageId === pageId);
      if (
        !serverDigest ||
        (serverDigest.hash === localDigest.hash && serverDigest.componentCount === localDigest.componentCount)
      )
        continue;
      await reloadPage(pageId);
    } catch (error) {
      if (!(error instanceof NoResponseError)) logWarning("Could not compare a page with the server", error);
    }
}

/** Compares the shown pages with the server at once, for when remote changes may have been missed. */
export const comparePages = (): Promise<void> => compareWithServer(queue());

/** Fetches a page that changed on another device, applies unsaved changes and shows it. */
export async function reloadPage(pageId: string): Promise<void> {
  const syncQueue = queue();
  const fetched = await fetchPage(pageId);
  const shown = applyToPage(syncQueue.unsaved(), { accountId: syncQueue.accountId, pageId }, fetched);
  for (const listener of reloadListeners) listener(shown);
}

/**
 * Fetches a component that changed on another device, and caches it with its page. Resolves to undefined if local
 * changes to the component are pending or were acknowledged in the meantime, because the response may then be outdated.
 */
export async function reloadComponent(pageId: string, id: string): Promise<Component | undefined> {
  const syncQueue = queue();
  if (syncQueue.pendingFor(id).length > 0) return undefined;
  const { result, acknowledged } = await collectAcknowledged(syncQueue, () => client.pages.getComponent({ id }));
  const { component } = result;
  if (syncQueue.pendingFor(id).length > 0 || acknowledged.some(({ request }) => request.resourceId === id))
    return undefined;
  const state = shownPages.get(pageId);
  if (state) cachePageLater({ ...state, components: state.components.map((c) => (c._id === id ? component : c)) });
  return component;
}

/** The first step of signing out. Flushes the queue and returns the changes that are still unsaved. */
export async function flushForSignOut(): Promise<readonly SyncRequest[]> {
  const { queue: syncQueue, started } = requireSyncSession();
  await started;
  await syncQueue.flush();
  return syncQueue.unsaved();
}

/** The last step of signing out, after confirmation. Removes all of the account's data from this browser. */
export async function wipeAccount(): Promise<void> {
  const { queue: syncQueue } = requireSyncSession();
  try {
    await syncQueue.wipe();
    await wipeStudyData(syncQueue.accountId);
    await removeStoredUploads(syncQueue.accountId);
    await wipeDrafts(syncQueue.accountId);
  } finally {
    stopSync();
  }
}
