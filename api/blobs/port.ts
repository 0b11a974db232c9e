import type { Readable } from "node:stream";

export interface Written {
  /** SHA-256 of the bytes, in hex; the key under which it will lie. */
  key: string;
  sizeBytes: number;
  /** The first 4,100 bytes at most: enough to tell the type. */
  head: Uint8Array;
}

/** A file that was received and hashed under a temporary name; it is gone unless it is kept. */
export interface ReceivedBlob extends Written {
  /** The bytes again, while the blob is not discarded. */
  open(): Readable;
  /** A path that a parser in another process may read, before and after `keep`. */
  path(): Promise<string>;
  /** A kept blob that no document names within the hour is swept away: name it in a file record, at once. */
  keep(): Promise<void>;
  discard(): Promise<void>;
}

export class BlobTooLarge extends Error {}

/** Files by content: the same bytes lie once, whoever brought them; who may read them is the caller's business. */
export interface Blobs {
  readonly kind: string;
  /** A folder of this machine for files on their way in. */
  readonly incoming: string;
  /** Takes over a file that lies in `incoming`, complete and durable. */
  take(path: string, written: Written): ReceivedBlob;
  /** Rejects with `BlobTooLarge` once more than `maxBytes` have come; nothing stays behind. */
  receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedBlob>;
  /** Size in bytes, undefined where there is none. */
  size(key: string): Promise<number | undefined>;
  /** Bytes from `start` to `end`, both counted and inclusive; the whole where they are left out. */
  open(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** A path that a parser in another process may read; the caller calls `release` afterwards. */
  localPath(key: string): Promise<{ path: string; release(): Promise<void> }>;
  remove(key: string): Promise<void>;
  /** All blobs, with the time (epoch ms) at which each was last kept. */
  list(): AsyncIterable<{ key: string; keptAt: number }>;
  /** Removes a blob that was not kept again since; tells whether it went. */
  removeKeptBefore(key: string, beforeMs: number): Promise<boolean>;
  check(): Promise<void>;
  /** Free bytes where the files lie; undefined where that cannot be told. */
  freeBytes(): Promise<number | undefined>;
  /** Nothing of this process stays on the machine but what was kept. */
  close(): Promise<void>;
}
