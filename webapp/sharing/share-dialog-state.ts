import { atom } from "jotai/vanilla";
import type { ShareType } from "#shared/sharing/schema.ts";
import { store } from "#webapp/app/store.ts";

/** An item to share, from any screen. */
export interface Shareable {
  type: ShareType;
  id: string;
  title: string;
}

const shareTargetStateAtom = atom<Shareable | undefined>(undefined);
export const shareTargetAtom = atom((get) => get(shareTargetStateAtom));
export const openShareDialog = (target: Shareable) => store.set(shareTargetStateAtom, target);
export const closeShareDialog = () => store.set(shareTargetStateAtom, undefined);
