import { uploadAccept } from "#shared/uploads/rules.ts";
import { chooseFiles } from "#webapp/app/browser/choose-files.ts";

interface PickFilesOptions {
  onFiles: (files: readonly File[]) => void;
  isSingle?: boolean;
  /** Opens the camera if the device has one. */
  isPhoto?: boolean;
}

/** Opens the system's file dialog for all supported types. */
export function pickFiles({ onFiles, isSingle = false, isPhoto = false }: PickFilesOptions): void {
  chooseFiles({ accept: isPhoto ? "image/*" : uploadAccept, isMany: !isSingle && !isPhoto, isPhoto }, onFiles);
}

/** Whether to offer taking a photo. Assumes that touch devices have a camera. */
export const hasCamera = () => typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;
