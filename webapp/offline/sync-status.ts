import { atom } from "jotai/vanilla";
import type { DiskState } from "#shared/sync/storage/overflow-storage.ts";
import type { SyncStatus } from "#shared/sync/queue.ts";

/**
 * This browser's storage. Unless it is `ok`, unsynced changes exist only in this tab: storage is denied, the disk is
 * full, or the browser does not answer.
 */
export const diskStateAtom = atom<DiskState | "denied">("ok");
/** The sync status for screens; separate from the queue, so that showing it does not load the queue. */
export const syncStatusAtom = atom<SyncStatus>({ state: "saved", unsaved: 0, parked: [] });
/** The number of unsynced changes on this device when the session expired; 0 after a sign-in. */
export const unsavedAtSignOutAtom = atom(0);
