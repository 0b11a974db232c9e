import { redoDepth, undoDepth } from "@tiptap/pm/history";
import { atom } from "jotai/vanilla";
import { monotonicFactory } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { DEFAULT_DECK_TITLE } from "#shared/flashcards/schema.ts";
import type { FileContent, Component, Page } from "#shared/pages/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { applyToPage, type PageState } from "#shared/sync/overlay.ts";
import type { ClientOutcome } from "#shared/sync/outcomes.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { listAbandonedDrafts, openDraft, removeDraft } from "#webapp/offline/draft-store.ts";
import { onRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { waitForIdle } from "#webapp/app/browser/wait-for-idle.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { store } from "#webapp/app/store.ts";
import { diskStateAtom } from "#webapp/offline/sync-status.ts";
import { findCachedPage, fetchPage as fetchFromServer, onPageReloaded, queue } from "#webapp/offline/sync.ts";
import { onUploaded } from "#webapp/uploads/uploads.ts";
import { insertUploaded } from "../insert-uploaded.ts";
import { createEditStash, readStash, recoverEdits, removeStash } from "./last-edits.ts";
import { createPageWriter } from "./page-writer.ts";
import { addConflict, applyRemoteChanges } from "./apply-remote-changes.ts";
import type { SaveState } from "./page-saver.ts";
import type { PageFields, TextDepths } from "./page-field-history.ts";
import { PageSession } from "./page-session.ts";

export const newId = monotonicFactory();

export type OpenPage =
  | { state: "loading" | "missing" | "offline" | "failed"; pageId: string }
  | { state: "ready"; pageId: string; page: Page; session: PageSession };

const openAtom = atom<OpenPage | null>(null);
export const openPageAtom = atom((get) => get(openAtom));
const currentSaveStateAtom = atom<SaveState>("saved");
/** Whether the latest edit is stored on this device; the sync status shows whether the server has it. */
export const saveStateAtom = atom((get) => get(currentSaveStateAtom));

const isOpen = (pageId: string) => store.get(openAtom)?.pageId === pageId;

function openSession(pageId: string): PageSession | undefined {
  const open = store.get(openAtom);
  return open?.state === "ready" && open.pageId === pageId ? open.session : undefined;
}

/** Shows a page, or updates the open one. */
function showPage({ page, components }: PageState): void {
  const open = store.get(openAtom);
  if (!page || open?.pageId !== page._id) return;
  if (open.state === "ready") {
    open.session.receivePage(components);
    store.set(openAtom, { ...open, page });
    return;
  }
  const syncQueue = queue();
  const lastEdits = createEditStash(syncQueue.accountId, page._id);
  const session = new PageSession({
    pageId: page._id,
    userId: syncQueue.accountId,
    components,
    writer: createPageWriter(syncQueue, page._id),
    newId,
    onState: (state) => {
      store.set(currentSaveStateAtom, state);
      if (state === "saved") lastEdits.forget();
    },
    stash: lastEdits.stash,
    draft: openDraft(syncQueue.accountId, page._id),
  });
  session.subscribe(() => {
    if (restoredPageId === page._id) restoredPageId = undefined;
  });
  store.set(openAtom, { state: "ready", pageId: page._id, page, session });
}

const applyUnsaved = (pageId: string, state: PageState): PageState =>
  applyToPage(queue().unsaved(), { accountId: queue().accountId, pageId }, state);

function showFailure(pageId: string, error: unknown): void {
  const open = store.get(openAtom);
  if (open?.pageId !== pageId || open.state === "ready") {
    if (!(error instanceof NoResponseError)) logWarning("Could not refresh the page", error);
    return;
  }
  const isMissing = error instanceof Failure && (error.code === "not_found" || error.code === "bad_input");
  const state = isMissing ? "missing" : error instanceof NoResponseError ? "offline" : "failed";
  store.set(openAtom, { state, pageId });
}

/**
 * Shows the cached page first, then the server's; unsaved changes are applied to both. Returns a function that closes
 * the page.
 */
export function openPage(pageId: string): () => void {
  store.set(openAtom, { state: "loading", pageId });
  store.set(currentSaveStateAtom, "saved");
  const unsubscribers = [
    queue().onOutcomes((outcomes) => applyOutcomes(pageId, outcomes)),
    onPageReloaded(showPage),
    onUploaded((upload, component) => insertUploaded(openSession(pageId), upload, component)),
    onRemoteChanges((changes) => applyRemoteChanges(() => openSession(pageId), pageId, changes)),
  ];
  window.addEventListener("beforeunload", warnBeforeUnload);
  startLoading(pageId);
  return () => {
    window.removeEventListener("beforeunload", warnBeforeUnload);
    for (const unsubscribe of unsubscribers) unsubscribe();
    pendingFlush = openSession(pageId)?.saver.flush() ?? pendingFlush;
    if (isOpen(pageId)) store.set(openAtom, null);
  };
}

/** Without storage, edits that are not queued yet would be lost with the tab. */
function warnBeforeUnload(event: BeforeUnloadEvent): void {
  if (store.get(diskStateAtom) !== "ok" && store.get(currentSaveStateAtom) !== "saved") event.preventDefault();
}

/** Pending writes of the page that was closed last. */
let pendingFlush: Promise<void> = Promise.resolve();

/** Queues the edits of tabs that ended too early, as if they were made now, and removes each stored draft. */
async function recoverAll(pageId: string, cached: PageState): Promise<void> {
  if (!cached.page) return;
  const { accountId } = queue();
  try {
    for (const row of await listAbandonedDrafts(accountId, pageId)) {
      await queueRecovered(pageId, row.draft, applyUnsaved(pageId, cached));
      await removeDraft(row);
    }
  } catch (error) {
    logWarning("Could not recover drafts", error);
  }
  try {
    await queueRecovered(pageId, readStash(accountId, pageId), applyUnsaved(pageId, cached));
    removeStash(accountId, pageId);
  } catch (error) {
    logWarning("Could not recover the last edits", error);
  }
}

async function queueRecovered(pageId: string, stash: unknown, state: PageState): Promise<void> {
  const syncQueue = queue();
  const { accountId } = syncQueue;
  const writer = createPageWriter(syncQueue, pageId);
  const { created, updated, deleted, order } = recoverEdits(stash, state);
  const now = Date.now();
  const meta = { pageId, createdAt: now, modifiedAt: now, createdBy: accountId, lastOpenedAt: null, version: 1 };
  for (const { block, index } of created) await writer.create({ ...block, ...meta } as Component, index);
  for (const { block, baseVersion } of updated) await writer.update(block._id, block.content, baseVersion);
  for (const id of deleted) await writer.remove(id);
  if (order) await writer.reorder(order);
}

/** Longest wait for an idle callback before the page is fetched from the server. */
const IDLE_TIMEOUT_MS = 500;

/** May fail after signing out, because there is no queue to read from. */
const startLoading = (pageId: string) => void fetchPage(pageId).catch((error: unknown) => showFailure(pageId, error));

async function fetchPage(pageId: string): Promise<void> {
  await pendingFlush;
  const cached = (await findCachedPage(pageId)) ?? { page: undefined, components: [] };
  await recoverAll(pageId, cached);
  showPage(applyUnsaved(pageId, cached));
  // A cached page can be edited at once, so its fetch from the server waits until it has rendered.
  if (cached.page) await waitForIdle(IDLE_TIMEOUT_MS);
  try {
    showPage(applyUnsaved(pageId, await fetchFromServer(pageId)));
    if (isOpen(pageId) && !queue().isVeryRecent(pageId))
      await queue().enqueue("page_update", pageId, { lastOpened: Date.now() });
  } catch (error) {
    showFailure(pageId, error);
  }
}

export function retryPage(pageId: string): void {
  store.set(openAtom, { state: "loading", pageId });
  startLoading(pageId);
}

function applyOutcomes(pageId: string, outcomes: readonly ClientOutcome[]): void {
  const session = openSession(pageId);
  if (!session) return;
  for (const { request, shownVersion, content, conflict } of outcomes) {
    if (content !== undefined) session.receive(request.resourceId, content, shownVersion);
    else if (shownVersion !== undefined) session.learnVersion(request.resourceId, shownVersion);
    if (conflict === true && session.has(request.resourceId)) addConflict(pageId, request.resourceId);
  }
}

function textDepthsOf({ editor }: PageSession): TextDepths {
  const state = editor?.view.state;
  return state ? { undo: undoDepth(state), redo: redoDepth(state) } : { undo: 0, redo: 0 };
}

/** Changes the title or the emoji, so that it can be undone. */
export async function editPageFields(fields: PageFields): Promise<void> {
  const open = store.get(openAtom);
  if (open?.state !== "ready") return;
  open.session.fieldHistory.record(open.page, fields, textDepthsOf(open.session));
  await changePage(fields);
}

/** Shows the change at once and queues it. */
export async function changePage(change: PageFields & { archived?: boolean }): Promise<void> {
  const open = store.get(openAtom);
  if (open?.state !== "ready") return;
  store.set(openAtom, { ...open, page: { ...open.page, ...change } });
  store.set(currentSaveStateAtom, "saving");
  try {
    await queue().enqueue("page_update", open.pageId, change);
    store.set(currentSaveStateAtom, "saved");
  } catch (error) {
    logWarning("Could not save the page's title", error);
    store.set(currentSaveStateAtom, "failed");
  }
}

export async function deletePage(): Promise<void> {
  const open = store.get(openAtom);
  if (open?.state !== "ready") return;
  const { pageId, session } = open;
  await session.saver.flush();
  await queue().enqueue("page_update", pageId, { archived: true });
  const restore = () => {
    restoredPageId = pageId;
    void queue().enqueue("page_update", pageId, { archived: false });
    goTo(screenPath("page", { id: pageId }));
  };
  notify({ message: t("pages.deleted"), type: "success", action: { label: t("common.undo"), run: restore } });
  goTo(screenPath("home", {}));
}

export async function restoreOpenPage(): Promise<void> {
  restoredPageId = store.get(openAtom)?.pageId;
  await changePage({ archived: false });
  notify({ message: t("pages.restored"), type: "success" });
}

/** The page that was just restored and has not changed since, so that redo deletes it again. */
let restoredPageId: string | undefined;

/** Undoes the deletion of the open page, or a change of its title or emoji; false if the text was changed last. */
export function undoPageAction(): boolean {
  const open = store.get(openAtom);
  if (open?.state !== "ready") return false;
  const { page, session } = open;
  if (page.archived) {
    void restoreOpenPage();
    return true;
  }
  return setFields(session.fieldHistory.undo(page, textDepthsOf(session)));
}

/** Does again what `undoPageAction` undid last; false if that was nothing, or a change of the text. */
export function redoPageAction(): boolean {
  const open = store.get(openAtom);
  if (open?.state !== "ready") return false;
  const { page, session } = open;
  if (restoredPageId === open.pageId && !page.archived) {
    restoredPageId = undefined;
    void deletePage();
    return true;
  }
  return setFields(session.fieldHistory.redo(page, textDepthsOf(session)));
}

function setFields(fields: PageFields | undefined): boolean {
  if (fields) void changePage(fields);
  return fields !== undefined;
}

/** Adds an empty deck to the end of the page and waits until the server has it. Aborting removes the deck at once. */
export async function addDeck(session: PageSession, title: string, signal: AbortSignal): Promise<string> {
  const id = newId();
  session.append({
    _id: id,
    type: "flash_cards",
    content: { title: title || DEFAULT_DECK_TITLE, cards: [], minimized: false },
  });
  const withdraw = () => session.withdraw(id);
  signal.addEventListener("abort", withdraw);
  try {
    await session.saver.flush();
    await queue().flush();
  } finally {
    signal.removeEventListener("abort", withdraw);
  }
  if (signal.aborted) throw new NoResponseError("aborted");
  if (queue().pendingFor(id).length > 0) {
    session.withdraw(id);
    throw new NoResponseError("network");
  }
  return id;
}

function reportFileError(error: unknown): void {
  logWarning("Could not fetch a file", error);
  notify({ message: t(error instanceof NoResponseError ? "failures.network" : "pages.file_failed"), type: "error" });
}

export async function downloadFile(file: FileContent["file"]): Promise<void> {
  try {
    saveFile(await client.uploads.getFile({ fileId: file.id }), file.name);
  } catch (error) {
    reportFileError(error);
  }
}

export async function countPages(componentId: string): Promise<number | undefined> {
  try {
    return (await client.pdf.getPassages({ id: componentId, from: 1, to: 1 })).pageCount;
  } catch {
    return undefined;
  }
}
