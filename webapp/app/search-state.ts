import { atom } from "jotai/vanilla";
import { store } from "./store.ts";

const openAtom = atom(false);
/** Whether the search overlay is open. */
export const searchOpenAtom = atom((get) => get(openAtom));
export const openSearch = () => store.set(openAtom, true);
export const closeSearch = () => store.set(openAtom, false);
