import { atom } from "jotai/vanilla";
import { store } from "./store.ts";

type Overlay = "feedback" | "plan" | "keys" | "import";

const openAtom = atom<Overlay | null>(null);
/** The open overlay; at most one at a time. */
export const overlayAtom = atom((get) => get(openAtom));
export const openOverlay = (overlay: Overlay) => store.set(openAtom, overlay);
export const closeOverlay = () => store.set(openAtom, null);
