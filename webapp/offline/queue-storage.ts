import { t } from "#shared/messages/translate.ts";
import { diskOrMemory } from "#shared/sync/storage/fallback-storage.ts";
import { overflowStorage, type DiskState } from "#shared/sync/storage/overflow-storage.ts";
import { diskStorage, isDiskDenied } from "#shared/sync/storage/local-store.ts";
import { notify } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import { diskStateAtom } from "./sync-status.ts";

const noticeKeys = { full: "unsaved.disk_full", silent: "unsaved.disk_silent" } as const;

/** Shows a notice once for each problem. The save status of each page shows the details. */
function handleDiskState(state: DiskState): void {
  if (state !== "ok" && store.get(diskStateAtom) !== state) notify({ message: t(noticeKeys[state]), type: "error" });
  store.set(diskStateAtom, state);
}

const newClientId = () => crypto.randomUUID();

/** The queue's storage in this browser: the disk, or the tab's memory if the disk is full, denied or unresponsive. */
export const queueStorage = diskOrMemory({
  disk: overflowStorage({ disk: diskStorage, onDiskState: handleDiskState, newClientId }),
  isDenied: isDiskDenied,
  onDenied: () => store.set(diskStateAtom, "denied"),
  newClientId,
});
