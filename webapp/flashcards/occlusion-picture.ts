import { atom } from "jotai/vanilla";
import type { PagePicture } from "#webapp/pages/page-port.tsx";

/** A picture to make occlusion cards from. */
export interface OcclusionPicture extends PagePicture {
  pageId: string;
}

/** Set by the screen that shows the picture and read where cards are made; null if there is none. */
export const occlusionPictureAtom = atom<OcclusionPicture | null>(null);
