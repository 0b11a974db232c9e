/**
 * Inputs whose dialog is open. Without a reference the browser may garbage-collect the input and lose the chosen file.
 */
const openInputs = new Set<HTMLInputElement>();

interface Choice {
  accept: string;
  isMany?: boolean;
  /** Opens the camera if the device has one. */
  isPhoto?: boolean;
}

/** Opens the system's dialog for one file. */
export const chooseFile = (accept: string, take: (file: File) => void): void =>
  chooseFiles({ accept }, ([file]) => file && take(file));

/** Opens the system's file dialog. A new input each time allows the same file to be chosen twice. */
export function chooseFiles(
  { accept, isMany = false, isPhoto = false }: Choice,
  take: (files: readonly File[]) => void,
): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = isMany;
  input.accept = accept;
  if (isPhoto) input.setAttribute("capture", "environment");
  const release = () => openInputs.delete(input);
  input.addEventListener("cancel", release);
  input.addEventListener("change", () => {
    release();
    take([...(input.files ?? [])]);
  });
  openInputs.add(input);
  input.click();
}
