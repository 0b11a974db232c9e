import { atom } from "jotai/vanilla";
import type { Alert } from "#shared/ui/overlays/alerts.tsx";
import { store } from "./store.ts";

const shownAtom = atom<readonly Alert[]>([]);
export const alertsAtom = atom((get) => get(shownAtom));

let count = 0;

/** Shows a notice for 2.5 s. Not needed when the result is already visible on screen. */
export function notify(alert: Omit<Alert, "id">): void {
  count += 1;
  const id = `alert-${count}`;
  store.set(shownAtom, (shown) => [...shown.filter((other) => other.message !== alert.message), { ...alert, id }]);
}

export function dismissAlert(id: string): void {
  store.set(shownAtom, (shown) => shown.filter((alert) => alert.id !== id));
}
