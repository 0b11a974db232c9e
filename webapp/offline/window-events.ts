import type { SyncQueue } from "#shared/sync/queue.ts";
import { store } from "#webapp/app/store.ts";
import { diskDeniedAtom, diskFullAtom } from "./sync-status.ts";

/** Wakes and flushes the queue on events of the window; returns a function that stops listening. */
export function listenToWindowEvents(queue: SyncQueue): () => void {
  const handleConnectionChange = () => void queue.connectionChanged();
  const handleLeave = () => {
    if (document.visibilityState === "hidden") void queue.flush();
  };
  // Changes that exist only in this tab would be lost.
  const handleBeforeUnload = (event: BeforeUnloadEvent) => {
    const isOnlyInTab = store.get(diskFullAtom) || store.get(diskDeniedAtom);
    if (isOnlyInTab && queue.status().unsaved > 0) event.preventDefault();
  };
  window.addEventListener("beforeunload", handleBeforeUnload);
  window.addEventListener("online", handleConnectionChange);
  window.addEventListener("offline", handleConnectionChange);
  window.addEventListener("pagehide", handleLeave);
  document.addEventListener("visibilitychange", handleLeave);
  return () => {
    window.removeEventListener("beforeunload", handleBeforeUnload);
    window.removeEventListener("online", handleConnectionChange);
    window.removeEventListener("offline", handleConnectionChange);
    window.removeEventListener("pagehide", handleLeave);
    document.removeEventListener("visibilitychange", handleLeave);
  };
}
