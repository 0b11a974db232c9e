import { createHash } from "node:crypto";
import { close, fdatasync, fsync, openSync, writevSync } from "node:fs";
import { promisify } from "node:util";

export const HEAD_BYTES = 4100;
/** Chunks are written in batches of this size. */
const BATCH_BYTES = 256 * 1024;
/** Syncs while data is still arriving, to shorten the sync at the end. */
const SYNC_EVERY_BYTES = 16 * 1024 * 1024;

const [closeAsync, fsyncAsync, fdatasyncAsync] = [promisify(close), promisify(fsync), promisify(fdatasync)];

/** A new file that is hashed while it is written. The calls are synchronous, so use it only in a dedicated thread. */
export class HashedFile {
  sizeBytes = 0;
  readonly #handle: number;
  readonly #hash = createHash("sha256");
  readonly #head: Uint8Array[] = [];
  #chunks: Uint8Array[] = [];
  #batchBytes = 0;
  #unsyncedBytes = 0;
  #syncing: Promise<unknown> | undefined;

  constructor(path: string) {
    this.#handle = openSync(path, "wx");
  }

  add(chunk: Uint8Array): void {
    if (this.sizeBytes < HEAD_BYTES) this.#head.push(chunk.slice(0, HEAD_BYTES - this.sizeBytes));
    this.sizeBytes += chunk.length;
    this.#hash.update(chunk);
    this.#chunks.push(chunk);
    this.#batchBytes += chunk.length;
    if (this.#batchBytes >= BATCH_BYTES) this.#write();
  }

  /** Everything is on disk when this resolves. */
  async end(): Promise<{ key: string; sizeBytes: number; head: Uint8Array }> {
    try {
      this.#write();
      await this.#syncing;
      await fsyncAsync(this.#handle);
    } finally {
      await closeAsync(this.#handle);
    }
    return { key: this.#hash.digest("hex"), sizeBytes: this.sizeBytes, head: Buffer.concat(this.#head) };
  }

  async close(): Promise<void> {
    await this.#syncing;
    await closeAsync(this.#handle);
  }

  #write(): void {
    let rest = this.#chunks;
    for (let left = this.#batchBytes; left > 0;) {
      const written = writevSync(this.#handle, rest);
      left -= written;
      if (left > 0) rest = [Buffer.concat(rest).subarray(written)];
    }
    this.#unsyncedBytes += this.#batchBytes;
    this.#chunks = [];
    this.#batchBytes = 0;
    if (this.#unsyncedBytes < SYNC_EVERY_BYTES || this.#syncing) return;
    this.#unsyncedBytes = 0;
    // Errors are ignored here, because the sync of the whole file at the end reports them.
    this.#syncing = Promise.allSettled([fdatasyncAsync(this.#handle)]).then(() => (this.#syncing = undefined));
  }
}
