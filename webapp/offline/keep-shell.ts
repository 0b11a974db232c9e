import { atom } from "jotai/vanilla";
import { logTrouble } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { store } from "#webapp/app/store.ts";

const waitingAtom = atom(false);
/** Whether a newer version is installed and waiting to be activated. */
export const newVersionAtom = atom((get) => get(waitingAtom));

const LOOK_EVERY_MS = 60 * 60 * 1000;
const AFTER_FIRST_SCREEN_MS = 4000;
let registration: ServiceWorkerRegistration | undefined;

/** Registers the service worker that caches the app's files; the app works without it. */
export async function keepShell(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  // Precaching must not compete with the first screen for bandwidth.
  if (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, AFTER_FIRST_SCREEN_MS));
  try {
    registration = await navigator.serviceWorker.register("/shell-worker.js", { updateViaCache: "none" });
  } catch (error) {
    logTrouble("Could not register the service worker", error);
    return;
  }
  const found = registration;
  navigator.serviceWorker.addEventListener("message", goWhereNoticeLeads);
  if (found.waiting && navigator.serviceWorker.controller) store.set(waitingAtom, true);
  found.addEventListener("updatefound", () => {
    const coming = found.installing;
    coming?.addEventListener("statechange", () => {
      // The first worker ever installed is not an update.
      if (coming.state === "installed" && navigator.serviceWorker.controller) store.set(waitingAtom, true);
    });
  });
  const look = () => void found.update().catch(() => undefined);
  setInterval(look, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") look();
  });
}

/** A click on a notification; only our own service worker's messages arrive here. */
function goWhereNoticeLeads({ data }: MessageEvent<{ goTo?: unknown } | null>): void {
  if (typeof data?.goTo === "string") goTo(data.goTo);
}

const reload = () => location.reload();

/** Activates the waiting version and reloads. */
export function takeNewVersion(): void {
  const waiting = registration?.waiting;
  if (!waiting) return reload();
  navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
  // `postMessage` to a worker takes no target origin.
  waiting.postMessage("take over");
  return undefined;
}
