/** Inputs whose dialog is open. One that nobody holds may be cleared away by the browser, and what is chosen with it. */
const open = new Set<HTMLInputElement>();

interface Choice {
  accept: string;
  isMany?: boolean;
  /** Opens the camera where the device has one. */
  isPhoto?: boolean;
}

/** Asks the system for one file. */
export const chooseFile = (accept: string, take: (file: File) => void): void =>
  chooseFiles({ accept }, ([file]) => file && take(file));

/** Asks the system for files; the input is made anew each time, so that the same file can be chosen twice. */
export function chooseFiles(
  { accept, isMany = false, isPhoto = false }: Choice,
  take: (files: readonly File[]) => void,
): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = isMany;
  input.accept = accept;
  if (isPhoto) input.setAttribute("capture", "environment");
  const end = () => open.delete(input);
  input.addEventListener("cancel", end);
  input.addEventListener("change", () => {
    end();
    take([...(input.files ?? [])]);
  });
  open.add(input);
  input.click();
}
