import { atom } from "jotai/vanilla";
import type { SyncStatus } from "#shared/sync/queue.ts";

/** Whether this browser keeps nothing: what is not on the server yet lasts no longer than the tab. */
export const diskDeniedAtom = atom(false);
/** What screens show of the queue; it stands apart from the queue, so that a screen that only shows it loads nothing. */
export const syncStatusAtom = atom<SyncStatus>({ state: "saved", unsaved: 0, parked: [] });
