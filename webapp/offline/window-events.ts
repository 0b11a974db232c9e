import type { SyncQueue } from "#shared/sync/queue.ts";
import { store } from "#webapp/app/store.ts";
import { diskStateAtom } from "./sync-status.ts";

/** Wakes or flushes the queue on events of the window. Returns a function that stops listening. */
export function listenToWindowEvents(queue: SyncQueue): () => void {
  const handleConnectionChange = () => void queue.connectionChanged();
  const handleVisibility = () => {
    if (document.visibilityState === "hidden") void queue.flush();
    else queue.wake();
  };
  // Asks for confirmation, because changes that exist only in this tab would be lost.
  const handleBeforeUnload = (event: BeforeUnloadEvent) => {
    if (store.get(diskStateAtom) !== "ok" && queue.unsaved().length > 0) event.preventDefault();
  };
  window.addEventListener("beforeunload", handleBeforeUnload);
  window.addEventListener("online", handleConnectionChange);
  window.addEventListener("offline", handleConnectionChange);
  window.addEventListener("pagehide", handleVisibility);
  window.addEventListener("focus", queue.wake);
  document.addEventListener("visibilitychange", handleVisibility);
  return () => {
    window.removeEventListener("beforeunload", handleBeforeUnload);
    window.removeEventListener("online", handleConnectionChange);
    window.removeEventListener("offline", handleConnectionChange);
    window.removeEventListener("pagehide", handleVisibility);
    window.removeEventListener("focus", queue.wake);
    document.removeEventListener("visibilitychange", handleVisibility);
  };
}
