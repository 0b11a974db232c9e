import { uploadAccept } from "#shared/pdf/upload-rules.ts";
import { chooseFiles } from "#webapp/app/browser/choose-files.ts";

interface Picking {
  take: (files: readonly File[]) => void;
  isOne?: boolean;
  /** Opens the camera where the device has one. */
  isPhoto?: boolean;
}

/** Asks the system for files of every kind that is taken here. */
export function pickFiles({ take, isOne = false, isPhoto = false }: Picking): void {
  chooseFiles({ accept: isPhoto ? "image/*" : uploadAccept, isMany: !isOne && !isPhoto, isPhoto }, take);
}

/** Whether taking a photo makes sense here: what is held in the hand has a camera. */
export const hasCamera = () => typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;
