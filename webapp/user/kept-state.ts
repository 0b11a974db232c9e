import { atom } from "jotai/vanilla";
import { askToPersist, listKeptPages, removeKeptPages } from "#shared/sync/local-store.ts";
import { wipeLists } from "#webapp/offline/kept-lists.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

interface Kept {
  pages: number;
  usedBytes: number;
  quotaBytes: number;
  isSafe: boolean;
}

/** Null if storage is unavailable; undefined until known. */
export const keptAtom = atom<Kept | null | undefined>(undefined);

export async function lookAtKept(accountId: string): Promise<void> {
  try {
    const pages = (await listKeptPages(accountId)).length;
    const storage: StorageManager | undefined = navigator.storage;
    const { usage = 0, quota = 0 } = (await storage?.estimate()) ?? {};
    const isSafe = (await storage?.persisted()) ?? false;
    store.set(keptAtom, { pages, usedBytes: usage, quotaBytes: quota, isSafe });
  } catch (error) {
    logTrouble("Could not inspect the browser's storage", error);
    store.set(keptAtom, null);
  }
}

export async function askToKeep(accountId: string): Promise<void> {
  await askToPersist();
  await lookAtKept(accountId);
}

export async function forgetKept(accountId: string): Promise<void> {
  await removeKeptPages(accountId);
  await wipeLists(accountId);
  await lookAtKept(accountId);
}
