import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { t } from "#shared/messages/translate.ts";
import { returnedWithNeighbours } from "#shared/library/rules.ts";
import type { Folder, FolderColor, FolderItem } from "#shared/library/schema.ts";
import { applyToFolders } from "#shared/sync/folders-overlay.ts";
import type { SyncInput } from "#shared/sync/queue.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { waitForAccount } from "#webapp/app/session/session.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { readLocal, removeLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";

const STORAGE_KEY = "lamplight_folders";

/** Folders from the server or this browser's cache; undefined until either is loaded, and empty if neither can be. */
const fetchedAtom = accountAtom<readonly Folder[] | undefined>(undefined);
const hasFailedAtom = accountAtom(false);
/** Whether the folders could not be loaded, so that only those made since are listed. */
export const foldersFailedAtom = atom((get) => get(hasFailedAtom));
const unsavedAtom = accountAtom<readonly SyncRequest[]>([]);

const allFoldersAtom = atom((get) => {
  const [fetched, accountId] = [get(fetchedAtom), get(accountIdAtom)];
  return fetched && accountId !== undefined ? applyToFolders(get(unsavedAtom), accountId, fetched) : undefined;
});

/** Folders that are not deleted; undefined until loaded. */
export const foldersAtom = atom((get) => get(allFoldersAtom)?.filter((folder) => !folder.is_archived));
export const archivedFoldersAtom = atom((get) => get(allFoldersAtom)?.filter((folder) => folder.is_archived) ?? []);

/** Folders that are not inside another folder. */
export const topFoldersAtom = atom((get) => {
  const folders = get(foldersAtom) ?? [];
  const nestedIds = new Set(folders.flatMap(({ items }) => items.map((item) => item.item_id)));
  return folders.filter(({ _id }) => !nestedIds.has(_id));
});

/** The folders around an item, outermost first. */
export function folderPathOf(itemId: string, folders: readonly Folder[]): Folder[] {
  const path: Folder[] = [];
  let current = itemId;
  for (;;) {
    const inside = current;
    const parent = folders.find(({ items }) => items.some((item) => item.item_id === inside));
    // If folders contain each other, no folder is the outermost, so the path ends here.
    if (!parent || path.includes(parent)) return path;
    path.unshift(parent);
    current = parent._id;
  }
}

export function loadFolders(): Promise<void> {
  const accountId = store.get(accountIdAtom);
  return loadForAccount(
    () => client.library.listFolders({}),
    ({ folders }) => {
      store.set(fetchedAtom, folders);
      store.set(hasFailedAtom, false);
      writeLocal(STORAGE_KEY, JSON.stringify({ accountId, folders }));
    },
    (error) => {
      logWarning("Failed to load folders", error);
      if (store.get(fetchedAtom) !== undefined) return;
      const cached = readCachedFolders(accountId);
      store.set(fetchedAtom, cached ?? []);
      store.set(hasFailedAtom, cached === undefined);
    },
  );
}

/** Reads the last list that was received, which is cached for offline use. */
function readCachedFolders(accountId: string | undefined): readonly Folder[] | undefined {
  try {
    const cached = JSON.parse(readLocal(STORAGE_KEY) ?? "{}") as { accountId?: string; folders?: Folder[] };
    if (cached.accountId === accountId && cached.folders) return cached.folders;
  } catch {
    // The cache entry is invalid, so there is nothing to restore.
  }
  return undefined;
}

/** Keeps the folders up to date with queued and acknowledged changes. Returns a function that stops this. */
export function followFolders(accountId: string): () => void {
  const syncQueue = queue();
  const show = () => store.set(unsavedAtom, syncQueue.unsaved());
  show();
  const stopCallbacks = [
    syncQueue.subscribe(show),
    syncQueue.onOutcomes((outcomes) => {
      const requests = outcomes.map(({ request }) => request);
      store.set(fetchedAtom, (folders) => folders && applyToFolders(requests, accountId, folders));
    }),
  ];
  return () => {
    for (const stop of stopCallbacks) stop();
  };
}

store.sub(accountIdAtom, () => {
  if (store.get(accountIdAtom) === undefined) removeLocal(STORAGE_KEY);
});

/** Resolves to the new folder's id once the folder is stored on disk. */
export async function createFolder(
  title: string,
  color: FolderColor,
  items: readonly FolderItem[] = [],
): Promise<string> {
  const id = ulid();
  await waitForAccount();
  await queue().enqueue("folder_create", id, { title, color, createdAt: Date.now() });
  if (items.length > 0) await updateFolder(id, { items: [...items] });
  return id;
}

export const updateFolder = (id: string, change: SyncInput<"folder_update">) =>
  queue().enqueue("folder_update", id, change);

/** Adds items to the end of a folder and removes them from all others, because an item can be in only one folder. */
export async function moveToFolder(folderId: string, items: readonly FolderItem[]): Promise<void> {
  const folders = store.get(foldersAtom) ?? [];
  const ids = new Set(items.map((item) => item.item_id));
  const others = folders.flatMap(({ _id, items: inside }) => {
    const moved = inside.filter((item) => ids.has(item.item_id));
    return _id === folderId || moved.length === 0 ? [] : { _id, moved };
  });
  const currentItems = folders.find(({ _id }) => _id === folderId)?.items ?? [];
  const rest = currentItems.filter((item) => !ids.has(item.item_id));
  await updateFolder(folderId, { items: [...rest, ...items] });
  for (const { _id, moved } of others) await removeFromFolder(_id, moved);
}

/** Moves items and shows a notice that offers undo. */
export async function moveWithNotice(folderId: string, items: readonly FolderItem[]): Promise<void> {
  const ids = new Set(items.map((item) => item.item_id));
  const before = (store.get(foldersAtom) ?? []).filter(
    ({ _id, items: inside }) => _id !== folderId && inside.some((item) => ids.has(item.item_id)),
  );
  await moveToFolder(folderId, items);
  const undo = async () => {
    const folders = store.get(allFoldersAtom) ?? [];
    // Items that were moved on or removed since stay where they are.
    const present = folders.find(({ _id }) => _id === folderId)?.items.filter((item) => ids.has(item.item_id)) ?? [];
    if (present.length === 0) return;
    await removeFromFolder(folderId, present);
    const returnedIds = new Set(present.map((item) => item.item_id));
    for (const { _id, items: earlier } of before) {
      const current = folders.find((folder) => folder._id === _id)?.items ?? [];
      await updateFolder(_id, { items: returnedWithNeighbours(current, earlier, returnedIds) });
    }
  };
  const title = store.get(foldersAtom)?.find(({ _id }) => _id === folderId)?.title || t("library.folder_untitled");
  notify({
    message: t(before.length > 0 ? "library.moved_to_folder" : "library.added_to_folder", { title }),
    type: "success",
    action: { label: t("common.undo"), run: () => void undo() },
  });
}

export const removeFromFolder = (folderId: string, items: readonly FolderItem[]) =>
  updateFolder(folderId, { removedItemIds: items.map((item) => item.item_id) });

/** Archives a folder. Its items are not changed, so it can be restored with them. */
export async function archiveFolder(id: string): Promise<void> {
  await updateFolder(id, { is_archived: true });
  notify({
    message: t("library.folder_deleted"),
    type: "success",
    action: { label: t("common.undo"), run: () => void restoreFolder(id) },
  });
}

export async function restoreFolder(id: string): Promise<void> {
  await updateFolder(id, { is_archived: false });
  notify({ message: t("library.folder_restored"), type: "success" });
}

/** Has the server generate and save a title from the folder's contents. */
export async function nameFolder(folderId: string, force: boolean): Promise<void> {
  try {
    await queue().flush();
    const title = await client.library.nameFolder({ folderId, force });
    store.set(fetchedAtom, (folders) => folders?.map((f) => (f._id === folderId ? { ...f, title } : f)));
  } catch (error) {
    logWarning("Failed to generate a folder title", error);
    // Automatic naming fails silently.
    if (force) notify({ message: t("library.name_failed"), type: "error" });
  }
}
