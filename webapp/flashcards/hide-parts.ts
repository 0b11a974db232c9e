import { atom } from "jotai/vanilla";
import type { PagePicture } from "#webapp/pages/page-door.tsx";

/** A picture whose parts are to be hidden and learnt. */
export interface PictureToHide extends PagePicture {
  pageId: string;
}

/** Set by whoever shows a picture, read where cards are made of it; null while there is none. */
export const hidePartsAtom = atom<PictureToHide | null>(null);
