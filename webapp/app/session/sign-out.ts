import type { SyncRequest } from "#shared/sync/schema.ts";
import { isStorageTimeout } from "#shared/sync/storage/storage-timeout.ts";
import { removeAccountEntries } from "../browser/local-storage.ts";
import { logWarning } from "../log.ts";
import { wipeLists } from "#webapp/offline/list-cache.ts";
import { wipePodcasts } from "#webapp/offline/podcast-cache.ts";
import { wipeResearch } from "#webapp/offline/research-cache.ts";
import { wipeVideos } from "#webapp/offline/video-cache.ts";
import { resetPreferences } from "../preferences.ts";
import { signOut, startSession, userAtom } from "./session.ts";
import { store } from "../store.ts";
import { flushForSignOut, wipeAccount } from "#webapp/offline/sync.ts";

/** Flushes the queue and returns the changes that the server has not acknowledged; empty if nobody is signed in. */
export async function prepareSignOut(): Promise<readonly SyncRequest[]> {
  if (!store.get(userAtom)) await startSession();
  if (!store.get(userAtom)) return [];
  try {
    return await flushForSignOut();
  } catch (error) {
    logWarning("Could not read unsaved changes", error);
    return [];
  }
}

/**
 * Removes the caches that screens write. Called after the account is signed out, because the screens could write them
 * again before that.
 */
async function wipeScreenCaches(accountId: string): Promise<void> {
  removeAccountEntries(accountId);
  await skipUnanswered(() => wipeLists(accountId));
}

/** Storage that does not respond must not prevent anyone from signing out. */
async function skipUnanswered(wipe: () => Promise<void>): Promise<void> {
  try {
    await wipe();
  } catch (error) {
    if (!isStorageTimeout(error)) throw error;
    logWarning("Could not remove what this browser stores", error);
  }
}

/** Removes all of the account's data from this browser. Called after the student has confirmed. */
export async function finishSignOut(): Promise<void> {
  const accountId = store.get(userAtom)?._id;
  if (accountId !== undefined) {
    await skipUnanswered(wipeAccount);
    await skipUnanswered(() => wipeVideos(accountId));
    await skipUnanswered(() => wipePodcasts(accountId));
    await skipUnanswered(() => wipeResearch(accountId));
  }
  try {
    await signOut();
  } finally {
    if (accountId !== undefined) await wipeScreenCaches(accountId);
  }
  resetPreferences();
}
