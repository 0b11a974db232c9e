import { atom } from "jotai/vanilla";
import { monotonicFactory } from "ulid";
import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { DEFAULT_DECK_TITLE } from "#shared/flashcards/schema.ts";
import type { FileContent, Component, Page } from "#shared/pages/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { applyToPage, type PageState } from "#shared/sync/overlay.ts";
import type { ToldOutcome } from "#shared/sync/tell.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { onRemoteChanges } from "#webapp/offline/remote-changes.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { store } from "#webapp/app/store.ts";
import { cachedPage, fetchPage as fetchFromServer, onPageReloaded, queue } from "#webapp/offline/sync.ts";
import { addUploads, onUploaded } from "#webapp/uploads/uploads.ts";
import { showArrived } from "../arrived.ts";
import { lastEditsOf, takeLastEdits } from "./last-edits.ts";
import { keeperOf } from "./keeper.ts";
import { addConflict, hearChanges } from "./live-page.ts";
import type { SaveState } from "./page-saver.ts";
import { PageSession } from "./page-session.ts";

export const newId = monotonicFactory();

export type OpenPage =
  | { state: "loading" | "missing" | "offline" | "failed"; pageId: string }
  | { state: "ready"; pageId: string; page: Page; session: PageSession };

const openAtom = atom<OpenPage | null>(null);
export const openPageAtom = atom((get) => get(openAtom));
const savedAtom = atom<SaveState>("kept");
/** Whether the latest edit is stored on this device; the queue knows what the server has. */
export const savedStateAtom = atom((get) => get(savedAtom));

const isOpen = (pageId: string) => store.get(openAtom)?.pageId === pageId;

function openSession(pageId: string): PageSession | undefined {
  const open = store.get(openAtom);
  return open?.state === "ready" && open.pageId === pageId ? open.session : undefined;
}

/** Shows a page, or updates the open one. */
function show({ page, components }: PageState): void {
  const open = store.get(openAtom);
  if (!page || open?.pageId !== page._id) return;
  if (open.state === "ready") {
    open.session.receivePage(components);
    store.set(openAtom, { ...open, page });
    return;
  }
  const mine = queue();
  const lastEdits = lastEditsOf(mine.accountId, page._id);
  const session = new PageSession({
    pageId: page._id,
    userId: mine.accountId,
    components,
    keeper: keeperOf(mine, page._id),
    newId,
    onState: (state) => {
      store.set(savedAtom, state);
      if (state === "kept") lastEdits.forget();
    },
    stash: lastEdits.stash,
  });
  session.subscribe(() => {
    if (restoredHere === page._id) restoredHere = undefined;
  });
  store.set(openAtom, { state: "ready", pageId: page._id, page, session });
}

const withUnsaved = (pageId: string, held: PageState): PageState =>
  applyToPage(queue().unsaved(), { accountId: queue().accountId, pageId }, held);

function fail(pageId: string, error: unknown): void {
  const open = store.get(openAtom);
  if (open?.pageId !== pageId || open.state === "ready") {
    if (!(error instanceof NoAnswer)) logTrouble("Could not refresh the page", error);
    return;
  }
  const isMissing = error instanceof Failure && (error.code === "not_found" || error.code === "bad_input");
  const state = isMissing ? "missing" : error instanceof NoAnswer ? "offline" : "failed";
  store.set(openAtom, { state, pageId });
}

/**
 * Shows the cached page first, then the server's; unsaved changes are applied to both. Returns a function that closes
 * the page.
 */
export function openPage(pageId: string): () => void {
  store.set(openAtom, { state: "loading", pageId });
  store.set(savedAtom, "kept");
  const stops = [
    queue().onOutcomes((outcomes) => hearOutcomes(pageId, outcomes)),
    onPageReloaded(show),
    onUploaded((upload, component) => showArrived(openSession(pageId), upload, component)),
    onRemoteChanges((changes) => hearChanges(openSession(pageId), pageId, changes)),
  ];
  openFrom(pageId);
  return () => {
    for (const stop of stops) stop();
    left = openSession(pageId)?.saver.flush() ?? left;
    if (isOpen(pageId)) store.set(openAtom, null);
  };
}

/** Pending writes of the page that was closed last. */
let left: Promise<void> = Promise.resolve();

/** Queues the edits of a tab that closed too early, as if they were made now. */
async function bringBackLastEdits(pageId: string, state: PageState): Promise<void> {
  if (!state.page) return;
  const mine = queue();
  const { accountId } = mine;
  const keeper = keeperOf(mine, pageId);
  const { created, updated } = takeLastEdits(accountId, pageId, state);
  const now = Date.now();
  const meta = { pageId, createdAt: now, modifiedAt: now, createdBy: accountId, lastOpenedAt: null, version: 1 };
  try {
    for (const { block, index } of created) await keeper.create({ ...block, ...meta } as Component, index);
    for (const { block, baseVersion } of updated) await keeper.update(block._id, block.content, baseVersion);
  } catch (error) {
    logTrouble("Could not recover the last edits", error);
  }
}

/** Longest wait for an idle callback before the server is asked. */
const LATEST_MS = 500;

const untilIdle = () =>
  new Promise<void>((done) => {
    if (typeof requestIdleCallback === "undefined") setTimeout(done);
    else requestIdleCallback(() => done(), { timeout: LATEST_MS });
  });

/** After signing out there is no queue to read from, so this may fail. */
const openFrom = (pageId: string) => void fetchPage(pageId).catch((error: unknown) => fail(pageId, error));

async function fetchPage(pageId: string): Promise<void> {
  await left;
  const held = (await cachedPage(pageId)) ?? { page: undefined, components: [] };
  await bringBackLastEdits(pageId, withUnsaved(pageId, held));
  show(withUnsaved(pageId, held));
  // A cached page can be edited at once; the server is asked after it has rendered.
  if (held.page) await untilIdle();
  try {
    show(withUnsaved(pageId, await fetchFromServer(pageId)));
    if (isOpen(pageId) && !queue().isVeryRecent(pageId))
      await queue().enqueue("page_update", pageId, { lastOpened: Date.now() });
  } catch (error) {
    fail(pageId, error);
  }
}

export function retryPage(pageId: string): void {
  store.set(openAtom, { state: "loading", pageId });
  openFrom(pageId);
}

function hearOutcomes(pageId: string, outcomes: readonly ToldOutcome[]): void {
  const session = openSession(pageId);
  if (!session) return;
  for (const { request, shownVersion, content, conflict } of outcomes) {
    if (content !== undefined) session.receive(request.resourceId, content, shownVersion);
    else if (shownVersion !== undefined) session.learnVersion(request.resourceId, shownVersion);
    if (conflict === true && session.has(request.resourceId)) addConflict(pageId, request.resourceId);
  }
}

/** Shows the change at once and queues it. */
export async function changePage(change: { title?: string; emoji?: string | null; archived?: boolean }): Promise<void> {
  const open = store.get(openAtom);
  if (open?.state !== "ready") return;
  store.set(openAtom, { ...open, page: { ...open.page, ...change } });
  store.set(savedAtom, "keeping");
  try {
    await queue().enqueue("page_update", open.pageId, change);
    store.set(savedAtom, "kept");
  } catch (error) {
    logTrouble("Could not save the page's title", error);
    store.set(savedAtom, "failed");
  }
}

export async function deletePage(): Promise<void> {
  const open = store.get(openAtom);
  if (open?.state !== "ready") return;
  const { pageId, session } = open;
  await session.saver.flush();
  await queue().enqueue("page_update", pageId, { archived: true });
  const restore = () => {
    restoredHere = pageId;
    void queue().enqueue("page_update", pageId, { archived: false });
    goTo(screenPath("page", { id: pageId }));
  };
  notify({ message: t("pages.deleted"), type: "success", action: { label: t("common.undo"), run: restore } });
  goTo(screenPath("home", {}));
}

export async function restorePage(): Promise<void> {
  restoredHere = store.get(openAtom)?.pageId;
  await changePage({ archived: false });
  notify({ message: t("pages.restored"), type: "success" });
}

/** The page that was just restored, until it changes: redo deletes it again. */
let restoredHere: string | undefined;

/** Undoes the deletion of the open page; returns false if it was not deleted. */
export function undoDeletion(): boolean {
  const open = store.get(openAtom);
  if (open?.state !== "ready" || !open.page.archived) return false;
  void restorePage();
  return true;
}

/** Deletes the page again if its restoration was the last action; otherwise returns false. */
export function redoDeletion(): boolean {
  const open = store.get(openAtom);
  if (open?.state !== "ready" || restoredHere !== open.pageId || open.page.archived) return false;
  restoredHere = undefined;
  void deletePage();
  return true;
}

/** Uploads files below a block; resolves when each has finished or failed. */
export async function uploadFiles(files: readonly File[], after: string | undefined): Promise<void> {
  const open = store.get(openAtom);
  if (open?.state === "ready") await addUploads(files, { pageId: open.pageId, after });
}

/** Adds an empty deck to the end of the page and waits until the server has it. */
export async function addDeck(session: PageSession, title: string): Promise<string> {
  const id = newId();
  session.append({
    _id: id,
    type: "flash_cards",
    content: { title: title || DEFAULT_DECK_TITLE, cards: [], minimized: false },
  });
  await session.saver.flush();
  await queue().flush();
  if (queue().pendingFor(id).length > 0) {
    session.withdraw(id);
    throw new NoAnswer("network");
  }
  return id;
}

function tellFileTrouble(error: unknown): void {
  logTrouble("Could not fetch a file", error);
  notify({ message: t(error instanceof NoAnswer ? "failures.network" : "pages.file_failed"), type: "error" });
}

export async function downloadFile(file: FileContent["file"]): Promise<void> {
  try {
    saveFile(await client.pages.getFile({ fileId: file.id }), file.name);
  } catch (error) {
    tellFileTrouble(error);
  }
}

export async function countPages(componentId: string): Promise<number | undefined> {
  try {
    return (await client.pdf.getPassages({ id: componentId, from: 1, to: 1 })).pageCount;
  } catch {
    return undefined;
  }
}
