import { atom } from "jotai/vanilla";
import type { Selection } from "#shared/tutor/schema.ts";

/** Text that the tutor should be opened for; null when there is none. */
export const tutorSelectionAtom = atom<Selection | null>(null);
