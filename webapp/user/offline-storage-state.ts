import { atom } from "jotai/vanilla";
import { requestPersistentStorage, listCachedPages, removeCachedPages } from "#shared/sync/storage/local-store.ts";
import { wipeLists } from "#webapp/offline/list-cache.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

interface OfflineStorage {
  pages: number;
  usedBytes: number;
  quotaBytes: number;
  isPersisted: boolean;
}

/** Null if storage is unavailable; undefined until known. */
export const offlineStorageAtom = atom<OfflineStorage | null | undefined>(undefined);

export async function loadOfflineStorage(accountId: string): Promise<void> {
  try {
    const pages = (await listCachedPages(accountId)).length;
    const storage: StorageManager | undefined = navigator.storage;
    const { usage = 0, quota = 0 } = (await storage?.estimate()) ?? {};
    const isPersisted = (await storage?.persisted()) ?? false;
    store.set(offlineStorageAtom, { pages, usedBytes: usage, quotaBytes: quota, isPersisted });
  } catch (error) {
    logWarning("Could not inspect the browser's storage", error);
    store.set(offlineStorageAtom, null);
  }
}

export async function requestPersistence(accountId: string): Promise<void> {
  await requestPersistentStorage();
  await loadOfflineStorage(accountId);
}

export async function clearOfflineStorage(accountId: string): Promise<void> {
  await removeCachedPages(accountId);
  await wipeLists(accountId);
  await loadOfflineStorage(accountId);
}
