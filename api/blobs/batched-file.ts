import type { FileHandle } from "node:fs/promises";

/** Chunks are written in batches of this size, while the next ones arrive and are hashed. */
const BATCH_BYTES = 256 * 1024;

/** Writes to a file one batch behind the incoming data. */
export class BatchedFile {
  readonly #handle: FileHandle;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async add(piece: Uint8Array): Promise<void> {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes >= BATCH_BYTES) await this.#next();
  }

  /** Everything is on disk when this resolves. */
  async end(): Promise<void> {
    await this.#next();
    await this.#writing;
    await this.#handle.sync();
  }

  /** Waits for the write in progress, whether it succeeds or fails. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#writing]);
  }

  async #next(): Promise<void> {
    await this.#writing;
    const [pieces, bytes] = [this.#pieces, this.#bytes];
    this.#pieces = [];
    this.#bytes = 0;
    this.#writing = this.#write(pieces, bytes);
    // Avoids an unhandled rejection; the next call that awaits the write reports the failure.
    this.#writing.catch(() => undefined);
  }

  async #write(pieces: Uint8Array[], bytes: number): Promise<void> {
    let rest = pieces;
    for (let left = bytes; left > 0;) {
      const { bytesWritten } = await this.#handle.writev(rest);
      left -= bytesWritten;
      if (left > 0) rest = [Buffer.concat(rest).subarray(bytesWritten)];
    }
  }
}
