import type { FileHandle } from "node:fs/promises";

/** Pieces are written together once there is so much of them, while the next ones come in and are hashed. */
const BATCH_BYTES = 256 * 1024;

/** Writes to a file one batch behind what comes in. */
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

  /** Everything is on the disk when this resolves. */
  async end(): Promise<void> {
    await this.#next();
    await this.#writing;
    await this.#handle.sync();
  }

  /** Waits for what is under way, however it ends. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#writing]);
  }

  async #next(): Promise<void> {
    await this.#writing;
    const [pieces, bytes] = [this.#pieces, this.#bytes];
    this.#pieces = [];
    this.#bytes = 0;
    this.#writing = this.#write(pieces, bytes);
    // Whoever comes next hears of a failure; nobody may have come yet.
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
