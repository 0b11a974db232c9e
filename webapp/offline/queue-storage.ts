import { t } from "#shared/messages/translate.ts";
import { diskOrMemory } from "#shared/sync/denied-storage.ts";
import { diskWithRoom } from "#shared/sync/full-disk.ts";
import { diskStorage, isDiskDenied } from "#shared/sync/local-store.ts";
import { notify } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import { diskDeniedAtom, diskFullAtom } from "./sync-status.ts";

/** What was written and found no room is told once; the line of each page says how it stands. */
function tellRoom(hasRoom: boolean): void {
  if (!hasRoom && !store.get(diskFullAtom)) notify({ message: t("unsaved.disk_full"), type: "error" });
  store.set(diskFullAtom, !hasRoom);
}

const newClientId = () => crypto.randomUUID();

/** Where the queue of this browser lies: on its disk, and in this tab where that is full or denied. */
export const queueStorage = diskOrMemory({
  disk: diskWithRoom({ disk: diskStorage, onRoom: tellRoom, newClientId }),
  isDenied: isDiskDenied,
  onDenied: () => store.set(diskDeniedAtom, true),
  newClientId,
});
