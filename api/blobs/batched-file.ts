import type { FileHandle } from "node:fs/promises";

/** Chunks are written in batches of this size, while the next ones arrive and are hashed. */
const BATCH_BYTES = 256 * 1024;

/** Writes to a file one batch behind the incoming data. */
export class BatchedFile {
  readonly #handle: FileHandle;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= BATCH_BYTES) await this.#flush();
  }

  /** Everything is on disk when this resolves. */
  async end(): Promise<void> {
    await this.#flush();
    await this.#writing;
    await this.#handle.sync();
  }

  /** Waits for the write in progress, whether it succeeds or fails. */
  async waitForWrite(): Promise<void> {
    await Promise.allSettled([this.#writing]);
  }

  async #flush(): Promise<void> {
    await this.#writing;
    const [chunks, bytes] = [this.#chunks, this.#bytes];
    this.#chunks = [];
    this.#bytes = 0;
    this.#writing = this.#write(chunks, bytes);
    // Avoids an unhandled rejection; the next call that awaits the write reports the failure.
    this.#writing.catch(() => undefined);
  }

  async #write(chunks: Uint8Array[], bytes: number): Promise<void> {
    let rest = chunks;
    for (let left = bytes; left > 0;) {
      const { bytesWritten } = await this.#handle.writev(rest);
      left -= bytesWritten;
      if (left > 0) rest = [Buffer.concat(rest).subarray(bytesWritten)];
    }
  }
}
