import { atom } from "jotai/vanilla";
import { alertsAtom } from "./alerts.ts";
import { client } from "./client.ts";
import { preferencesAtom } from "./preferences.ts";
import { store } from "./store.ts";

/** At most one event per name is sent in this period. Further events are dropped. */
const THROTTLE_MS = 1000;
const MAX_SHOWN = 20;

interface Event {
  name: string;
  detail: string;
  at: number;
}

const sentAtom = atom<readonly Event[]>([]);
/** Events sent from this window, newest first; shown in the settings. */
export const sentEventsAtom = atom((get) => get(sentAtom));

const lastSentAt = new Map<string, number>();

/** Sends an event to our own server only, and only if the student has allowed analytics. */
export function track(name: string, detail = ""): void {
  if (!store.get(preferencesAtom).analytics.enabled) return;
  const at = Date.now();
  if (at - (lastSentAt.get(name) ?? Number.NEGATIVE_INFINITY) < THROTTLE_MS) return;
  lastSentAt.set(name, at);
  const event = { name, detail: detail.slice(0, 300), at };
  store.set(sentAtom, (sent) => [event, ...sent].slice(0, MAX_SHOWN));
  // An event that cannot be sent now is dropped.
  client.feedback.sendEvents({ events: [event] }).catch(() => undefined);
}

let isReporting = false;

/** Starts to report error alerts as events. */
export function reportAlerts(): void {
  if (isReporting) return;
  isReporting = true;
  let reported = "";
  store.sub(alertsAtom, () => {
    const newest = store.get(alertsAtom).findLast(({ type }) => type === "error");
    if (!newest || newest.id === reported) return;
    reported = newest.id;
    track("alert_error", newest.message);
  });
}
