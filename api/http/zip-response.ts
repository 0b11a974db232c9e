import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Blobs } from "#api/blobs/port.ts";
import type { FileAnswer } from "./handler.ts";

/**
 * A zip created for one response, under this name; `fill` adds the entries. Range requests are not supported, so an
 * interrupted download starts again.
 */
export async function createZipAnswer(
  blobs: Blobs,
  name: string,
  fill: (zip: ZipFile) => Promise<void>,
): Promise<FileAnswer> {
  const path = join(blobs.incoming, randomUUID());
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }));
  try {
    // A source that cannot be read or a full disk ends the work immediately.
    const failed = new Promise<never>((_resolve, reject) => zip.on("error", reject));
    await Promise.race([failed, Promise.all([written, fill(zip).then(() => zip.end())])]);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  const { size } = await stat(path);
  return {
    type: "application/zip",
    sizeBytes: size,
    open(range) {
      const stream = createReadStream(path, range);
      stream.once("close", () => void rm(path, { force: true }));
      return stream;
    },
    disposition: { kind: "attachment", name },
    cacheControl: "no-store",
  };
}

/**
 * Adds a stored file to a zip; returns false if its bytes are missing. Files are read one at a time as the zip reaches
 * them.
 */
export async function addBlob(
  zip: ZipFile,
  blobs: Blobs,
  file: { path: string; key: string; sizeBytes: number },
): Promise<boolean> {
  if ((await blobs.size(file.key)) === undefined) return false;
  // Pictures, videos and PDFs are already compressed.
  zip.addReadStreamLazy(file.path, { size: file.sizeBytes, compress: false }, (provideStream) => {
    blobs.open(file.key).then(
      (stream) => provideStream(null, stream),
      (error: Error) => provideStream(error, Readable.from([])),
    );
  });
  return true;
}

/** A file name without extension that every operating system accepts; "Untitled" if nothing is left of it. */
export const sanitizeFileName = (title: string): string =>
  title
    .replaceAll(/[\p{C}/\\:*?"<>|]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[. ]+|[. ]+$/g, "")
    .slice(0, 100) || "Untitled";

/** Makes names unique by numbering them, ignoring case as some file systems and Anki do. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  /** The next number to try for a name, so that thousands of equal names take linear time. */
  readonly #next = new Map<string, number>();
  readonly #number: (name: string, count: number) => string;

  constructor(number = (name: string, count: number) => `${name} ${count}`) {
    this.#number = number;
  }

  reserve(name: string, ending = ""): string {
    const key = `${name}${ending}`.toLowerCase();
    for (let count = this.#next.get(key) ?? 1; ; count += 1) {
      const reserved = `${count === 1 ? name : this.#number(name, count)}${ending}`;
      if (this.#taken.has(reserved.toLowerCase())) continue;
      this.#taken.add(reserved.toLowerCase());
      this.#next.set(key, count + 1);
      return reserved;
    }
  }
}
