import { atom } from "jotai/vanilla";
import type { SyncStatus } from "#shared/sync/queue.ts";

/** What screens show of the queue; it stands apart from the queue, so that a screen that only shows it loads nothing. */
export const syncStatusAtom = atom<SyncStatus>({ state: "saved", unsaved: 0, parked: [] });
