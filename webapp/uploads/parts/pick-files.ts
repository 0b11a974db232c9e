import { uploadAccept } from "#shared/pdf/upload-rules.ts";
import { chooseFiles } from "#webapp/app/browser/choose-files.ts";

interface Picking {
  take: (files: readonly File[]) => void;
  isOne?: boolean;
  /** Opens the camera if the device has one. */
  isPhoto?: boolean;
}

/** Opens the system's file dialog for all supported types. */
export function pickFiles({ take, isOne = false, isPhoto = false }: Picking): void {
  chooseFiles({ accept: isPhoto ? "image/*" : uploadAccept, isMany: !isOne && !isPhoto, isPhoto }, take);
}

/** Whether to offer taking a photo: touch devices have a camera. */
export const hasCamera = () => typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;
