// Injected into the tab of a local file, which no other document may read.
const PIECE_BYTES = 6 * 1024 * 1024;

/** Each call is a separate script; the bytes stay in the extension's isolated world between calls. */
const world = globalThis as { lamplightFile?: Promise<Blob> };

const readHere = () => fetch(location.href, { mode: "same-origin" }).then((answer) => answer.blob());

/** One chunk of the tab's file as a data URL, because script results must be JSON. */
export async function readFilePiece(from: number): Promise<{ sizeBytes: number; piece: string }> {
  world.lamplightFile ??= readHere();
  const file = await world.lamplightFile;
  const piece = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(typeof reader.result === "string" ? reader.result : ""));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("unread")));
    reader.readAsDataURL(file.slice(from, from + PIECE_BYTES, "application/octet-stream"));
  });
  if (from + PIECE_BYTES >= file.size) delete world.lamplightFile;
  return { sizeBytes: file.size, piece };
}
