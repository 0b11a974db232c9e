import { atom } from "jotai/vanilla";
import { logTrouble } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { store } from "#webapp/app/store.ts";

const waitingAtom = atom(false);
/** Whether a newer version has been fetched and waits to be used. */
export const newVersionAtom = atom((get) => get(waitingAtom));

const LOOK_EVERY_MS = 60 * 60 * 1000;
const AFTER_FIRST_SCREEN_MS = 4000;
let registration: ServiceWorkerRegistration | undefined;

/** Has the browser keep the app's own files; where it will not, everything else works as ever. */
export async function keepShell(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  // All of the app's files, fetched beside the first screen, would be what that screen waits for.
  if (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, AFTER_FIRST_SCREEN_MS));
  try {
    registration = await navigator.serviceWorker.register("/shell-worker.js", { updateViaCache: "none" });
  } catch (error) {
    logTrouble("The app could not be kept for use without a network", error);
    return;
  }
  const found = registration;
  navigator.serviceWorker.addEventListener("message", goWhereNoticeLeads);
  if (found.waiting && navigator.serviceWorker.controller) store.set(waitingAtom, true);
  found.addEventListener("updatefound", () => {
    const coming = found.installing;
    coming?.addEventListener("statechange", () => {
      // The first one that ever comes is no update.
      if (coming.state === "installed" && navigator.serviceWorker.controller) store.set(waitingAtom, true);
    });
  });
  const look = () => void found.update().catch(() => undefined);
  setInterval(look, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") look();
  });
}

/** A press on a notice; only our own worker's messages arrive here. */
function goWhereNoticeLeads({ data }: MessageEvent<{ goTo?: unknown } | null>): void {
  if (typeof data?.goTo === "string") goTo(data.goTo);
}

const reload = () => location.reload();

/** Puts the newer version in place and opens the screen anew with it. */
export function takeNewVersion(): void {
  const waiting = registration?.waiting;
  if (!waiting) return reload();
  navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
  // A worker is of our own origin: it takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  waiting.postMessage("take over");
  return undefined;
}
