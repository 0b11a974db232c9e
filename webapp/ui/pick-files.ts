import { uploadAccept } from "#shared/pdf/upload-rules.ts";

interface Picking {
  take: (files: readonly File[]) => void;
  isOne?: boolean;
  /** Opens the camera where the device has one. */
  isPhoto?: boolean;
}

/** Asks the system for files; the input is made anew each time, so that the same file can be chosen twice. */
export function pickFiles({ take, isOne = false, isPhoto = false }: Picking): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = !isOne && !isPhoto;
  input.accept = isPhoto ? "image/*" : uploadAccept;
  if (isPhoto) input.setAttribute("capture", "environment");
  input.addEventListener("change", () => take([...(input.files ?? [])]));
  input.click();
}

/** Whether taking a photo makes sense here: what is held in the hand has a camera. */
export const hasCamera = () => typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;
