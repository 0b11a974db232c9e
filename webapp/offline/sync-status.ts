import { atom } from "jotai/vanilla";
import type { DiskState } from "#shared/sync/storage/overflow-storage.ts";
import type { SyncStatus } from "#shared/sync/queue.ts";

/**
 * The state of this browser's storage. If it is not `ok` (access is denied, the disk is full or storage does not
 * respond), unsynced changes exist only in this tab.
 */
export const diskStateAtom = atom<DiskState | "denied">("ok");
/** The sync status for screens. It is separate from the queue, so that showing it does not load the queue. */
export const syncStatusAtom = atom<SyncStatus>({ state: "saved", unsaved: 0, parked: [] });
/** A text of a research session; without a section, its notes. As a version of a section, null is the checked text. */
interface UnsavedResearchText {
  sessionId: string;
  section: string | null;
  text: string | null;
}

/** The notes and versions of research sections that the server does not have yet. */
export const unsavedResearchTextsAtom = atom<readonly UnsavedResearchText[]>([]);
/** The number of unsynced changes on this device when the session expired; 0 after a sign-in. */
export const unsavedAtSignOutAtom = atom(0);
