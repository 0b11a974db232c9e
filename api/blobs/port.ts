import type { Readable } from "node:stream";
import { Failure } from "#shared/contract/failure.ts";

export interface HashedContent {
  /** SHA-256 of the bytes, in hex; the blob's key. */
  key: string;
  sizeBytes: number;
  /** At most the first 4,100 bytes: enough to detect the type. */
  head: Uint8Array;
}

/** A received and hashed file under a temporary name, which the caller must store or discard. */
export interface ReceivedBlob extends HashedContent {
  /** Reads the bytes; not after `discard`. */
  open(): Readable;
  /** A path for a parser in another process, before and after `commit`. */
  path(): Promise<string>;
  /**
   * Stores the blob. Create a file record at once, because a blob that no document refers to is deleted after an hour.
   */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export class BlobTooLargeError extends Error {}

/** The failure for a blob that is missing although a document refers to it. */
export const toBlobLost = (cause?: unknown): Failure => Object.assign(new Failure("not_found", "file_lost"), { cause });

/** Content-addressed files: identical bytes are stored once. Access control is the caller's responsibility. */
export interface Blobs {
  readonly kind: string;
  /** A local folder for incoming files. */
  readonly incoming: string;
  /** Takes ownership of a complete, synced file in `incoming`. */
  adopt(path: string, written: HashedContent): ReceivedBlob;
  /** Rejects with `BlobTooLargeError` as soon as more than `maxBytes` have arrived, and leaves no file behind. */
  receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedBlob>;
  /** Size in bytes, or undefined if the blob does not exist. */
  size(key: string): Promise<number | undefined>;
  /** Bytes `start` to `end`, both inclusive; the whole blob without a range. Rejects with `not_found` if it is gone. */
  open(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** A path for a parser in another process; the caller must call `release` afterwards. Rejects like `open`. */
  localPath(key: string): Promise<{ path: string; release(): Promise<void> }>;
  remove(key: string): Promise<void>;
  /** All blobs, with the time (epoch ms) each was last stored. */
  list(): AsyncIterable<{ key: string; storedAt: number }>;
  /** Removes the blob unless it has been stored again since; returns whether it was removed. */
  removeStoredBefore(key: string, beforeMs: number): Promise<boolean>;
  checkHealth(): Promise<void>;
  /** Free bytes on the volume, or undefined if unknown. */
  freeBytes(): Promise<number | undefined>;
  /** Deletes this process's temporary files, unless a later start does. */
  close(): Promise<void>;
}
