import { atom } from "jotai/vanilla";
import { store } from "./store.ts";

type Overlay = "feedback" | "plan" | "keys" | "import";

const openAtom = atom<Overlay | null>(null);
/** The open overlay; at most one at a time. */
export const overlayAtom = atom((get) => get(openAtom));
const messageAtom = atom<string | null>(null);
/** Why the plan dialog opened; null if the student opened it. */
export const limitMessageAtom = atom((get) => get(messageAtom));

export function openOverlay(overlay: Overlay): void {
  store.set(messageAtom, null);
  store.set(openAtom, overlay);
}

/** Opens the plan dialog because of a limit that was reached. */
export function openPlanModal(message: string | null): void {
  store.set(messageAtom, message);
  store.set(openAtom, "plan");
}
export const closeOverlay = () => store.set(openAtom, null);
