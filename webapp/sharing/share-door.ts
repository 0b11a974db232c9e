import { atom } from "jotai/vanilla";
import type { ShareType } from "#shared/sharing/schema.ts";
import { store } from "#webapp/app/store.ts";

/** An item to share, from any screen. */
export interface Shareable {
  type: ShareType;
  id: string;
  title: string;
}

const askedAtom = atom<Shareable | undefined>(undefined);
export const shareAskedAtom = atom((get) => get(askedAtom));
export const askToShare = (thing: Shareable) => store.set(askedAtom, thing);
export const closeShare = () => store.set(askedAtom, undefined);
