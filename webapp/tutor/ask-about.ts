import { atom } from "jotai/vanilla";
import type { Selection } from "#shared/tutor/schema.ts";

/** Words that the tutor was asked to be opened for; null where it was not. */
export const askAboutAtom = atom<Selection | null>(null);
