import { atom } from "jotai/vanilla";
import type { SyncStatus } from "#shared/sync/queue.ts";

/** Whether storage is denied: unsynced changes are lost when the tab closes. */
export const diskDeniedAtom = atom(false);
/** Whether the disk is full: unsynced changes exist only in this tab. */
export const diskFullAtom = atom(false);
/** The sync status for screens; separate from the queue, so that showing it does not load the queue. */
export const syncStatusAtom = atom<SyncStatus>({ state: "saved", unsaved: 0, parked: [] });
/** The number of unsynced changes on this device when the session expired; 0 after a sign-in. */
export const unsavedAtSignOutAtom = atom(0);
