import { atom } from "jotai/vanilla";

/** A picture whose parts are to be hidden and learnt. */
export interface PictureToHide {
  pageId: string;
  fileId: string;
  name: string;
  /** Where the picture was taken from. */
  citation: string | null;
}

/** Set by whoever shows a picture, read where cards are made of it; null while there is none. */
export const hidePartsAtom = atom<PictureToHide | null>(null);
