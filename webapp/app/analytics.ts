import { atom } from "jotai/vanilla";
import { alertsAtom } from "./alerts.ts";
import { client } from "./client.ts";
import { preferencesAtom } from "./preferences.ts";
import { store } from "./store.ts";

/** One event of a name counts within this time; the others are dropped. */
const THROTTLE_MS = 1000;
const SHOWN = 20;

interface Event {
  name: string;
  detail: string;
  at: number;
}

const sentAtom = atom<readonly Event[]>([]);
/** What this window sent, the latest first: the settings show it. */
export const sentEventsAtom = atom((get) => get(sentAtom));

const last = new Map<string, number>();

/** Tells our own server, and nobody else, that something happened; only where the student allowed it. */
export function track(name: string, detail = ""): void {
  if (!store.get(preferencesAtom).analytics.enabled) return;
  const at = Date.now();
  if (at - (last.get(name) ?? Number.NEGATIVE_INFINITY) < THROTTLE_MS) return;
  last.set(name, at);
  const event = { name, detail: detail.slice(0, 300), at };
  store.set(sentAtom, (sent) => [event, ...sent].slice(0, SHOWN));
  // What cannot be sent now is not worth keeping.
  client.feedback.sendEvents({ events: [event] }).catch(() => undefined);
}

let isReporting = false;

/** Notices of errors are reported besides being shown. */
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
