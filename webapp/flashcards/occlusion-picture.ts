import { atom } from "jotai/vanilla";
import type { PagePicture } from "#webapp/pages/page-port.tsx";

/** A picture to make occlusion cards from. */
export interface OcclusionPicture extends PagePicture {
  pageId: string;
}

/** The picture for which the dialog is open; null if the dialog is closed. */
export const occlusionPictureAtom = atom<OcclusionPicture | null>(null);
