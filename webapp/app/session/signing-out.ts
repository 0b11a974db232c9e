import type { SyncRequest } from "#shared/sync/schema.ts";
import { removeLocalOf } from "../browser/local.ts";
import { logTrouble } from "../log.ts";
import { wipeLists } from "#webapp/offline/kept-lists.ts";
import { wipeVideos } from "#webapp/offline/kept-videos.ts";
import { forgetPreferences } from "../preferences.ts";
import { signOut, startSession, userAtom } from "./session.ts";
import { store } from "../store.ts";
import { flushForSignOut, wipeAccount } from "#webapp/offline/sync.ts";

/** Sends what can be sent and answers what the server has not taken; nothing where nobody's data lies here. */
export async function prepareSignOut(): Promise<readonly SyncRequest[]> {
  if (!store.get(userAtom)) await startSession();
  if (!store.get(userAtom)) return [];
  try {
    return await flushForSignOut();
  } catch (error) {
    logTrouble("Could not read what is unsaved", error);
    return [];
  }
}

/** What screens write down by themselves is taken away once they know of no account: until then it could come again. */
async function wipeRest(accountId: string): Promise<void> {
  await wipeLists(accountId);
  removeLocalOf(accountId);
}

/** After the student has chosen: nothing of the account stays in this browser. */
export async function finishSignOut(): Promise<void> {
  const accountId = store.get(userAtom)?._id;
  if (accountId !== undefined) {
    await wipeAccount();
    await wipeVideos(accountId);
  }
  try {
    await signOut();
  } finally {
    if (accountId !== undefined) await wipeRest(accountId);
  }
  forgetPreferences();
}
