import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GridFSBucket, MongoServerError, type Db, type GridFSFile } from "mongodb";
import type { MongoConnection } from "#api/store/mongo-store.ts";
import type { MongoWatchdog } from "#api/store/mongo-watchdog.ts";
import { toBlobLost, type Blobs, type ReceivedBlob, type HashedContent } from "./port.ts";
import { writeHashed } from "./write-hashed.ts";

const isDuplicate = (cause: unknown) => cause instanceof MongoServerError && cause.code === 11000;

/** Stores blobs in MongoDB, named by their hash; incoming files stay on local disk until they are stored. */
class GridFsBlobs implements Blobs {
  readonly kind = "GridFS";
  readonly #db: Db;
  readonly #bucket: GridFSBucket;
  readonly incoming: string;

  readonly #watchdog: MongoWatchdog;

  constructor({ db, watchdog }: GridFsConnection, incoming: string) {
    this.#db = db;
    this.#watchdog = watchdog;
    this.#bucket = new GridFSBucket(db, { bucketName: "files" });
    this.incoming = incoming;
  }

  async receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedBlob> {
    const path = join(this.incoming, randomUUID());
    try {
      return this.adopt(path, await writeHashed(source, path, maxBytes));
    } catch (cause) {
      await rm(path, { force: true });
      throw cause;
    }
  }

  adopt(path: string, written: HashedContent): ReceivedBlob {
    return {
      ...written,
      open: () => createReadStream(path),
      path: async () => path,
      commit: () => this.#watchdog.run(() => this.#commit(path, written.key)),
      discard: () => rm(path, { force: true }),
    };
  }

  async size(key: string): Promise<number | undefined> {
    return (await this.#find(key))?.length;
  }

  async open(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const file = await this.#require(key);
    return this.#bucket.openDownloadStream(
      file._id,
      range ? { start: range.start, end: Math.min(range.end + 1, file.length) } : {},
    );
  }

  async localPath(key: string): Promise<{ path: string; release(): Promise<void> }> {
    const path = join(this.incoming, randomUUID());
    const release = () => rm(path, { force: true });
    try {
      await pipeline(await this.open(key), createWriteStream(path));
      return { path, release };
    } catch (cause) {
      await release();
      throw cause;
    }
  }

  async remove(key: string): Promise<void> {
    const file = await this.#find(key);
    if (file) await this.#watchdog.run(() => this.#bucket.delete(file._id));
  }

  async *list(): AsyncGenerator<{ key: string; storedAt: number }> {
    for await (const { filename, uploadDate } of this.#bucket.find({}))
      yield { key: filename, storedAt: uploadDate.getTime() };
  }

  /**
   * Atomic, and conditional on the upload date. Storing the same bytes again renews the date and so prevents the
   * deletion.
   */
  async removeStoredBefore(key: string, beforeMs: number): Promise<boolean> {
    const files = this.#db.collection<GridFSFile>("files.files");
    const removed = await files.findOneAndDelete({ filename: key, uploadDate: { $lt: new Date(beforeMs) } });
    if (!removed) return false;
    await this.#db.collection("files.chunks").deleteMany({ files_id: removed._id });
    return true;
  }

  async checkHealth(): Promise<void> {
    await this.#watchdog.run(() => this.#db.command({ ping: 1 }));
  }

  async freeBytes(): Promise<number | undefined> {
    return undefined;
  }

  close(): Promise<void> {
    return rm(this.incoming, { recursive: true, force: true });
  }

  /**
   * GridFS writes the file entry after the chunks, and its name is unique, so no partial or duplicate file can be
   * found.
   */
  async #commit(path: string, key: string): Promise<void> {
    const files = this.#db.collection<GridFSFile>("files.files");
    const renewed = await files.updateOne({ filename: key }, { $set: { uploadDate: new Date() } });
    if (renewed.matchedCount > 0) return;
    const upload = this.#bucket.openUploadStream(key);
    try {
      await pipeline(createReadStream(path), upload);
    } catch (cause) {
      await upload.abort().catch(() => undefined);
      if (!isDuplicate(cause)) throw cause;
    }
  }

  async #find(key: string): Promise<GridFSFile | undefined> {
    return (await this.#watchdog.run(() => this.#bucket.find({ filename: key }).limit(1).toArray()))[0];
  }

  async #require(key: string): Promise<GridFSFile> {
    const file = await this.#find(key);
    if (!file) throw toBlobLost();
    return file;
  }
}

type GridFsConnection = Pick<MongoConnection, "db" | "watchdog">;

export async function openGridFsBlobs(connection: GridFsConnection): Promise<Blobs> {
  const { db } = connection;
  const incoming = await mkdtemp(join(tmpdir(), "lamplight-incoming-"));
  await db.collection("files.files").createIndex({ filename: 1 }, { unique: true });
  return new GridFsBlobs(connection, incoming);
}
