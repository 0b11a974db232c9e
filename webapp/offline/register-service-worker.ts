import { atom } from "jotai/vanilla";
import { logWarning } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { store } from "#webapp/app/store.ts";

const hasWaitingVersionAtom = atom(false);
/** Whether a newer version is installed and waiting to be activated. */
export const newVersionAtom = atom((get) => get(hasWaitingVersionAtom));

const CHECK_INTERVAL_MS = 60 * 60 * 1000;
const REGISTER_DELAY_MS = 4000;
let registration: ServiceWorkerRegistration | undefined;

/** Registers the service worker that caches the app's files. The app also works without the service worker. */
export async function registerServiceWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  // Precaching must not compete with the first screen for bandwidth.
  if (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, REGISTER_DELAY_MS));
  try {
    registration = await navigator.serviceWorker.register("/shell-worker.js", { updateViaCache: "none" });
  } catch (error) {
    logWarning("Could not register the service worker", error);
    return;
  }
  const activeRegistration = registration;
  navigator.serviceWorker.addEventListener("message", handleNotificationClick);
  if (activeRegistration.waiting && navigator.serviceWorker.controller) store.set(hasWaitingVersionAtom, true);
  activeRegistration.addEventListener("updatefound", () => {
    const installing = activeRegistration.installing;
    installing?.addEventListener("statechange", () => {
      // The first worker ever installed is not an update.
      if (installing.state === "installed" && navigator.serviceWorker.controller)
        store.set(hasWaitingVersionAtom, true);
    });
  });
  const checkForUpdate = () => void activeRegistration.update().catch(() => undefined);
  setInterval(checkForUpdate, CHECK_INTERVAL_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") checkForUpdate();
  });
}

/** Opens the path of a clicked notification. Only our own service worker can send these messages. */
function handleNotificationClick({ data }: MessageEvent<{ goTo?: unknown } | null>): void {
  if (typeof data?.goTo === "string") goTo(data.goTo);
}

const reload = () => location.reload();

/** Activates the waiting version and reloads. */
export function activateNewVersion(): void {
  const waiting = registration?.waiting;
  if (!waiting) return reload();
  navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
  // `postMessage` to a worker takes no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  waiting.postMessage("take over");
  return undefined;
}
