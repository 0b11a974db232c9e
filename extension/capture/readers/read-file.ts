// Injected into the tab of a local file, which no other document may read.
const CHUNK_BYTES = 6 * 1024 * 1024;

/** Each call is a separate script; the bytes stay in the global object of the extension's scripts between calls. */
const scriptGlobals = globalThis as { lamplightFile?: Promise<Blob> };

const fetchTabFile = () => fetch(location.href, { mode: "same-origin" }).then((answer) => answer.blob());

/** One chunk of the tab's file as a data URL, because script results must be JSON. */
export async function readFileChunk(from: number): Promise<{ sizeBytes: number; piece: string }> {
  scriptGlobals.lamplightFile ??= fetchTabFile();
  const file = await scriptGlobals.lamplightFile;
  const piece = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(typeof reader.result === "string" ? reader.result : ""));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("unread")));
    reader.readAsDataURL(file.slice(from, from + CHUNK_BYTES, "application/octet-stream"));
  });
  if (from + CHUNK_BYTES >= file.size) delete scriptGlobals.lamplightFile;
  return { sizeBytes: file.size, piece };
}
