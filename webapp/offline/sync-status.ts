import { atom } from "jotai/vanilla";
import type { SyncStatus } from "#shared/sync/queue.ts";

/** Whether this browser keeps nothing: what is not on the server yet lasts no longer than the tab. */
export const diskDeniedAtom = atom(false);
/** Whether the disk of this device has no room: what is not on the server yet lies in the tab alone. */
export const diskFullAtom = atom(false);
/** What screens show of the queue; it stands apart from the queue, so that a screen that only shows it loads nothing. */
export const syncStatusAtom = atom<SyncStatus>({ state: "saved", unsaved: 0, parked: [] });
/** How many changes lay on this device unsent when the session ended by itself; 0 once somebody has signed in. */
export const keptForLaterAtom = atom(0);
