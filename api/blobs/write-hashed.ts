import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { BatchedFile } from "./batched-file.ts";
import { HEAD_BYTES } from "./hashed-file.ts";
import { BlobTooLargeError, type HashedContent } from "./port.ts";

/** Writes a source to a new file and hashes it on the way; the file is synced when this resolves. */
export async function writeHashed(
  source: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
): Promise<HashedContent> {
  const hash = createHash("sha256");
  const head: Uint8Array[] = [];
  let sizeBytes = 0;
  const handle = await open(path, "wx");
  const file = new BatchedFile(handle);
  try {
    for await (const chunk of source) {
      if (sizeBytes < HEAD_BYTES) head.push(chunk.slice(0, HEAD_BYTES - sizeBytes));
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new BlobTooLargeError(`More than ${maxBytes} bytes`);
      await file.add(chunk);
      hash.update(chunk);
    }
    await file.end();
  } finally {
    await file.waitForWrite();
    await handle.close();
  }
  return { key: hash.digest("hex"), sizeBytes, head: Buffer.concat(head) };
}
