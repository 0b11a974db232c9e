import { atom } from "jotai/vanilla";
import type { Selection } from "#shared/tutor/schema.ts";

/** The text for which another feature opens the tutor; null without such text. */
export const tutorSelectionAtom = atom<Selection | null>(null);
