import { atom } from "jotai/vanilla";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { archivePage, loadContent, restorePage, showPodcast, showResearch } from "./content.ts";
import { removePins } from "./pins.ts";
import { archiveFolder, updateFolder, restoreFolder } from "./folders.ts";
import { listCachedPages } from "#shared/sync/storage/local-store.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";
import type { Item } from "./items.ts";

const messages = {
  deck: { deleted: "library.flashcards_deleted", restored: "library.flashcards_restored" },
  pdf: { deleted: "library.pdf_deleted", restored: "library.pdf_restored" },
  video: { deleted: "library.video_deleted", restored: "library.video_restored" },
  image: { deleted: "library.image_deleted", restored: "library.image_restored" },
} as const;
type ComponentKind = keyof typeof messages;

/** Loads a complete component from the cached pages or else from the server. */
async function loadComponent(id: string): Promise<Component> {
  const cachedPages = await listCachedPages(store.get(accountIdAtom) ?? "");
  const cached = cachedPages.flatMap(({ components }) => components).find(({ _id }) => _id === id);
  return cached ?? (await client.pages.getComponent({ id })).component;
}

/** Archives or restores a file. The base version is sent, because the change would count as a conflict without it. */
async function setArchived({ _id, content, version }: Component, isArchived: boolean): Promise<void> {
  const newContent = { ...content, isArchived, archivedAt: isArchived ? Date.now() : null };
  await queue().enqueue("component_content_update", _id, { newContent }, { baseVersion: version });
}

/**
 * Deletes a component that the server may have created before the creation was cancelled, with the page that was
 * created for it. `pageId` is the existing page that it was created on, otherwise null.
 */
export async function deleteCancelled(id: string, pageId: string | null): Promise<void> {
  const isCurrent = watchSession();
  try {
    const { component } = await client.pages.getComponent({ id });
    if (!isCurrent()) return;
    if (pageId === null) await queue().enqueue("page_delete", component.pageId, {});
    else await queue().enqueue("component_delete", id, { pageId });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "not_found")
      logWarning("Could not delete what was cancelled", error);
  }
}

/** A removal that the student must confirm. */
export interface RemovalQuestion {
  title: string;
  /** The number of decks that would be removed. */
  count: number;
  answer: (isConfirmed: boolean) => void;
}
export const removalQuestionAtom = atom<RemovalQuestion | null>(null);

/** Asks for confirmation if decks would be deleted. Resolves to whether to go on. */
function confirmRemoval(items: readonly Item[]): Promise<boolean> {
  const decks = items.filter(({ kind }) => kind === "deck");
  if (decks.length === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      store.set(removalQuestionAtom, null);
      resolve(isConfirmed);
    };
    store.set(removalQuestionAtom, { title: decks[0]?.title ?? "", count: decks.length, answer });
  });
}

/** Archives a file, or removes a deck from its page. Returns the undo function. */
async function removeComponent(id: string, kind: ComponentKind): Promise<() => Promise<void>> {
  const component = await loadComponent(id);
  if (kind === "deck") {
    await queue().enqueue("component_delete", id, { pageId: component.pageId });
    return async () => {
      await queue().enqueue("component_create", id, { component, parentId: component.pageId });
    };
  }
  await setArchived(component, true);
  return () => restoreComponent(id);
}

const restoreComponent = async (id: string): Promise<void> => setArchived(await loadComponent(id), false);

/** Archives or restores a podcast. If that fails, shows a notice and resolves to false. */
async function setPodcastArchived(id: string, isArchived: boolean): Promise<boolean> {
  try {
    const archivedAt = isArchived ? Date.now() : null;
    const isCurrent = watchSession();
    const { podcast } = await client.podcasts.updatePodcast({ id, is_archived: isArchived, archived_at: archivedAt });
    if (isCurrent()) showPodcast(podcast);
    return true;
  } catch (error) {
    logWarning("Could not archive or restore a podcast", error);
    notify({ message: t(isArchived ? "podcasts.delete_failed" : "podcasts.restore_failed"), type: "error" });
    return false;
  }
}

/** Restores a podcast and shows a notice of the outcome. */
export async function restorePodcast(id: string): Promise<void> {
  if (await setPodcastArchived(id, false)) notify({ message: t("podcasts.restored"), type: "success" });
}

/** Archives a podcast and shows a notice that offers undo. */
export async function archivePodcast(id: string): Promise<boolean> {
  if (!(await setPodcastArchived(id, true))) return false;
  notify({
    message: t("podcasts.deleted"),
    type: "success",
    action: { label: t("common.undo"), run: () => void restorePodcast(id) },
  });
  return true;
}

/** Archives or restores a research session. If that fails, shows a notice and resolves to false. */
async function setResearchArchived(id: string, isArchived: boolean): Promise<boolean> {
  try {
    const isCurrent = watchSession();
    const { conversation } = await client.research.changeConversation({ id, is_archived: isArchived });
    if (isCurrent()) showResearch(conversation);
    return true;
  } catch (error) {
    logWarning("Could not archive or restore a research session", error);
    notify({ message: t(isArchived ? "library.delete_failed" : "library.restore_failed"), type: "error" });
    return false;
  }
}

async function restoreResearch(id: string, onRestored?: () => void): Promise<void> {
  if (!(await setResearchArchived(id, false))) return;
  onRestored?.();
  notify({ message: t("research.restored"), type: "success" });
}

/** Archives a research session and shows a notice that offers undo. */
export async function archiveResearch(id: string, onRestored?: () => void): Promise<boolean> {
  if (!(await setResearchArchived(id, true))) return false;
  notify({
    message: t("research.removed"),
    type: "success",
    action: { label: t("common.undo"), run: () => void restoreResearch(id, onRestored) },
  });
  return true;
}

/** Runs an undo; resolves to whether it succeeded. */
async function isUndone(undo: () => Promise<unknown>): Promise<boolean> {
  try {
    await undo();
    return true;
  } catch (error) {
    logWarning("Could not restore a deleted item", error);
    return false;
  }
}

const notifyRestoreFailed = () => notify({ message: t("library.restore_failed"), type: "error" });

/** Deletes an item and shows a notice that offers undo. */
export async function removeItem(item: Item): Promise<void> {
  const { id, kind } = item;
  if (!(await confirmRemoval([item]))) return;
  removePins([id]);
  if (kind === "podcast") return void (await archivePodcast(id));
  if (kind === "research") return void (await archiveResearch(id));
  if (kind === "page") return archivePage(id);
  if (kind === "folder") return archiveFolder(id);
  try {
    const undo = await removeComponent(id, kind);
    const undoAll = async () => {
      if (await isUndone(undo)) notify({ message: t(messages[kind].restored), type: "success" });
      else notifyRestoreFailed();
    };
    notify({
      message: t(messages[kind].deleted),
      type: "success",
      action: { label: t("common.undo"), run: () => void undoAll() },
    });
  } catch (error) {
    logWarning("Could not delete a component", error);
    notify({ message: t("library.delete_failed"), type: "error" });
  }
}

export async function restoreItem({ id, kind }: Item): Promise<void> {
  if (kind === "page") return restorePage(id);
  if (kind === "folder") return restoreFolder(id);
  if (kind === "podcast") return restorePodcast(id);
  if (kind === "research") return restoreResearch(id);
  try {
    await (kind === "deck" ? restoreDeck(id) : restoreComponent(id));
    notify({ message: t(messages[kind].restored), type: "success" });
  } catch (error) {
    logWarning("Could not restore a component", error);
    notify({ message: t("library.restore_failed"), type: "error" });
  }
}

/** Restores a deleted deck from its history. */
async function restoreDeck(id: string): Promise<void> {
  await queue().flush();
  const { versions } = await client.pages.listHistory({ id });
  const deleted = versions.find(({ reason }) => reason === "deleted");
  if (!deleted) throw new Error("No deleted version");
  await client.pages.restoreVersion({ id, versionId: deleted._id });
  await loadContent();
}

/** Deletes several items and shows one notice whose undo restores all of them. */
export async function removeItems(items: readonly Item[]): Promise<void> {
  if (!(await confirmRemoval(items))) return;
  const undos: (() => Promise<unknown>)[] = [];
  removePins(items.map(({ id }) => id));
  try {
    for (const { id, kind } of items)
      if (kind === "page") {
        await queue().enqueue("page_update", id, { archived: true });
        undos.push(() => queue().enqueue("page_update", id, { archived: false }));
      } else if (kind === "folder") {
        await updateFolder(id, { is_archived: true });
        undos.push(() => updateFolder(id, { is_archived: false }));
      } else if (kind === "podcast") {
        if (await setPodcastArchived(id, true)) undos.push(() => setPodcastArchived(id, false));
      } else if (kind === "research") {
        if (await setResearchArchived(id, true)) undos.push(() => setResearchArchived(id, false));
      } else undos.push(await removeComponent(id, kind));
  } catch (error) {
    logWarning("Could not delete a component", error);
    notify({ message: t("library.delete_failed"), type: "error" });
  }
  if (undos.length === 0) return;
  const undoAll = async () => {
    let hasFailed = false;
    for (const undo of undos) if (!(await isUndone(undo))) hasFailed = true;
    if (hasFailed) notifyRestoreFailed();
  };
  notify({
    message: t("library.items_deleted", { count: undos.length }),
    type: "success",
    action: { label: t("common.undo"), run: () => void undoAll() },
  });
}
