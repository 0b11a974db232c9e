import { open } from "node:fs/promises";

/**
 * The bytes of a file, or a copy of the given ones, in an array of exactly their size whose buffer a parser may
 * transfer.
 */
export async function readBytes(source: string | Uint8Array): Promise<Uint8Array> {
  if (typeof source !== "string") return new Uint8Array(source);
  const handle = await open(source, "r");
  try {
    const { size } = await handle.stat();
    const bytes = new Uint8Array(size);
    for (let offset = 0; offset < size;) {
      const { bytesRead } = await handle.read(bytes, offset, size - offset, offset);
      if (bytesRead === 0) return bytes.slice(0, offset);
      offset += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}
