import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, statfs, unlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { toBlobLost, type Blobs, type ReceivedBlob, type HashedContent } from "./port.ts";
import { writeHashed } from "./write-hashed.ts";

/** Partial uploads of a killed process are deleted after this time. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** The name of a file in the incoming folder that is being removed begins so; its key follows. */
const TAKEN = "taken-";

const isKey = (key: string) => /^[0-9a-f]{64}$/.test(key);

const noop = () => {};

const ignoreErrorCode = (code: string) => (cause: unknown) => {
  if (!(cause instanceof Error && "code" in cause && cause.code === code)) throw cause;
  return undefined;
};

function throwIfLost(cause: unknown): never {
  throw cause instanceof Error && "code" in cause && cause.code === "ENOENT" ? toBlobLost(cause) : cause;
}

/** Keys come from documents, never from users; still, only a hash may become part of a path. */
function requireKey(key: string): string {
  if (!isKey(key)) throw new Error("Invalid blob key");
  return key;
}

const pathIn = (folder: string, key: string) => join(folder, key.slice(0, 2), key);

/** A rename or link is durable only after its folder has been synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts back what a killed process took away to remove it, because it may be new. */
async function restoreTaken(folder: string, incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const key = name.startsWith(TAKEN) ? name.slice(TAKEN.length) : "";
    if (!isKey(key)) continue;
    const path = pathIn(folder, key);
    if ((await stat(path).catch(ignoreErrorCode("ENOENT"))) === undefined)
      await rename(join(incoming, name), path).catch(ignoreErrorCode("ENOENT"));
  }
}

async function clearStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(ignoreErrorCode("ENOENT"));
    if (info && Date.now() - info.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

class FolderBlobs implements Blobs {
  readonly kind = "folder";
  readonly #folder: string;
  readonly incoming: string;
  readonly #pendingByKey = new Map<string, Promise<void>>();

  constructor(folder: string, incoming: string) {
    this.#folder = folder;
    this.incoming = incoming;
  }

  async receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedBlob> {
    const temporary = join(this.incoming, randomUUID());
    let written: HashedContent;
    try {
      written = await writeHashed(source, temporary, maxBytes);
    } catch (cause) {
      await rm(temporary, { force: true });
      throw cause;
    }
    return this.adopt(temporary, written);
  }

  adopt(temporary: string, written: HashedContent): ReceivedBlob {
    let path = temporary;
    return {
      ...written,
      open: () => createReadStream(path),
      path: async () => path,
      commit: async () => {
        if (path === temporary) path = await this.#commit(temporary, written.key);
      },
      discard: async () => {
        if (path === temporary) await rm(temporary, { force: true });
      },
    };
  }

  async size(key: string): Promise<number | undefined> {
    const info = await stat(this.#pathFor(key)).catch(ignoreErrorCode("ENOENT"));
    return info?.size;
  }

  async open(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const handle = await open(this.#pathFor(key), "r").catch(throwIfLost);
    return handle.createReadStream(range ?? {});
  }

  async localPath(key: string): Promise<{ path: string; release(): Promise<void> }> {
    const path = this.#pathFor(key);
    await stat(path).catch(throwIfLost);
    return { path, release: async () => {} };
  }

  async remove(key: string): Promise<void> {
    await unlink(this.#pathFor(key)).catch(ignoreErrorCode("ENOENT"));
  }

  async *list(): AsyncGenerator<{ key: string; storedAt: number }> {
    for (const subfolder of await readdir(this.#folder)) {
      if (!/^[0-9a-f]{2}$/.test(subfolder)) continue;
      for (const key of await readdir(join(this.#folder, subfolder))) {
        const info = await stat(join(this.#folder, subfolder, key)).catch(ignoreErrorCode("ENOENT"));
        if (info) yield { key, storedAt: info.mtimeMs };
      }
    }
  }

  removeStoredBefore(key: string, beforeMs: number): Promise<boolean> {
    return this.#serialize(key, async () => {
      const path = this.#pathFor(key);
      const info = await stat(path).catch(ignoreErrorCode("ENOENT"));
      if (!info || info.mtimeMs >= beforeMs) return false;
      // Another process may store the same bytes after this check: the file is taken away first, and comes back if it is new.
      const taken = join(this.incoming, `${TAKEN}${key}`);
      try {
        await rename(path, taken);
      } catch (cause) {
        // Another process removed it.
        return ignoreErrorCode("ENOENT")(cause) ?? false;
      }
      const { mtimeMs } = (await stat(taken).catch(ignoreErrorCode("ENOENT"))) ?? info;
      const isNew = mtimeMs >= beforeMs;
      await (isNew ? rename(taken, path) : unlink(taken)).catch(ignoreErrorCode("ENOENT"));
      return !isNew;
    });
  }

  async checkHealth(): Promise<void> {
    await stat(this.incoming);
  }

  async freeBytes(): Promise<number | undefined> {
    const info = await statfs(this.#folder);
    return info.bavail * info.bsize;
  }

  /** Does not delete incoming files, because other processes may be writing here; a later start deletes stale ones. */
  async close(): Promise<void> {}

  /** If the same bytes are uploaded twice at once, the later file replaces the earlier identical one. */
  async #commit(temporary: string, key: string): Promise<string> {
    const path = this.#pathFor(key);
    if ((await mkdir(dirname(path), { recursive: true })) !== undefined) await syncFolder(this.#folder);
    const now = new Date();
    await utimes(temporary, now, now);
    await this.#serialize(key, () => rename(temporary, path));
    await syncFolder(dirname(path));
    return path;
  }

  /** Serialises the operations of this process per key, so that its sweep cannot delete a blob that it is storing. */
  #serialize<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#pendingByKey.get(key) ?? Promise.resolve()).then(work);
    const pending = result.then(noop, noop).finally(() => {
      if (this.#pendingByKey.get(key) === pending) this.#pendingByKey.delete(key);
    });
    this.#pendingByKey.set(key, pending);
    return result;
  }

  #pathFor(key: string): string {
    return pathIn(this.#folder, requireKey(key));
  }
}

/** Stores blobs as files named by their hash, in 256 folders; incoming files have a folder of their own. */
export async function openFolderBlobs(folder: string): Promise<Blobs> {
  const incoming = join(folder, "incoming");
  await mkdir(incoming, { recursive: true });
  await restoreTaken(folder, incoming);
  await clearStale(incoming);
  return new FolderBlobs(folder, incoming);
}
