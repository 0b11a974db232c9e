import { atom } from "jotai/vanilla";
import { store } from "./store.ts";

type Overlay = "feedback" | "plan" | "keys" | "import";

const openAtom = atom<Overlay | null>(null);
/** The open overlay; at most one at a time. */
export const overlayAtom = atom((get) => get(openAtom));

interface ReachedLimit {
  /** The server's message; null if the student opened the dialog. */
  message: string | null;
  /** The limit's name in `planLimits`, if it is a limit of plans. */
  name?: string | undefined;
}
const reachedAtom = atom<ReachedLimit>({ message: null });
/** Why the plan dialog opened. */
export const reachedLimitAtom = atom((get) => get(reachedAtom));

export const openOverlay = (overlay: Overlay) => store.set(openAtom, overlay);

/** Opens the plan dialog because of a limit that was reached. */
export function openPlanModal(message: string | null, name?: string): void {
  store.set(reachedAtom, { message, name });
  openOverlay("plan");
}
export const closeOverlay = () => store.set(openAtom, null);
