import { t } from "#shared/messages/translate.ts";
import { diskOrMemory } from "#shared/sync/fallback-storage.ts";
import { overflowStorage } from "#shared/sync/overflow-storage.ts";
import { diskStorage, isDiskDenied } from "#shared/sync/local-store.ts";
import { notify } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import { diskDeniedAtom, diskFullAtom } from "./sync-status.ts";

/** A full disk is announced once; each page's save status shows the details. */
function handleSpaceChange(hasSpace: boolean): void {
  if (!hasSpace && !store.get(diskFullAtom)) notify({ message: t("unsaved.disk_full"), type: "error" });
  store.set(diskFullAtom, !hasSpace);
}

const newClientId = () => crypto.randomUUID();

/** The queue's storage in this browser: the disk, or the tab's memory if the disk is full or denied. */
export const queueStorage = diskOrMemory({
  disk: overflowStorage({ disk: diskStorage, onSpaceChange: handleSpaceChange, newClientId }),
  isDenied: isDiskDenied,
  onDenied: () => store.set(diskDeniedAtom, true),
  newClientId,
});
