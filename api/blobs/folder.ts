import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, statfs, unlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { Blobs, ReceivedBlob, Written } from "./port.ts";
import { writeHashed } from "./write-hashed.ts";

/** Partial uploads of a killed process are deleted after this time. */
const STALE_MS = 24 * 60 * 60 * 1000;

const nothing = () => {};

const ignore = (code: string) => (cause: unknown) => {
  if (!(cause instanceof Error && "code" in cause && cause.code === code)) throw cause;
  return undefined;
};

/** Keys come from documents, never from users; still, only a hash may become part of a path. */
function checkKey(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error("Invalid blob key");
  return key;
}

/** A rename or link is durable only after its folder has been synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function clearStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const seen = await stat(path).catch(ignore("ENOENT"));
    if (seen && Date.now() - seen.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

class FolderBlobs implements Blobs {
  readonly kind = "folder";
  readonly #folder: string;
  readonly incoming: string;
  readonly #turns = new Map<string, Promise<void>>();

  constructor(folder: string, incoming: string) {
    this.#folder = folder;
    this.incoming = incoming;
  }

  async receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedBlob> {
    const temporary = join(this.incoming, randomUUID());
    let written: Written;
    try {
      written = await writeHashed(source, temporary, maxBytes);
    } catch (cause) {
      await rm(temporary, { force: true });
      throw cause;
    }
    return this.take(temporary, written);
  }

  take(temporary: string, written: Written): ReceivedBlob {
    let path = temporary;
    return {
      ...written,
      open: () => createReadStream(path),
      path: async () => path,
      keep: async () => {
        if (path === temporary) path = await this.#keep(temporary, written.key);
      },
      discard: async () => {
        if (path === temporary) await rm(temporary, { force: true });
      },
    };
  }

  async size(key: string): Promise<number | undefined> {
    const seen = await stat(this.#pathOf(key)).catch(ignore("ENOENT"));
    return seen?.size;
  }

  async open(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const handle = await open(this.#pathOf(key), "r");
    return handle.createReadStream(range ?? {});
  }

  async localPath(key: string): Promise<{ path: string; release(): Promise<void> }> {
    const path = this.#pathOf(key);
    await stat(path);
    return { path, release: async () => {} };
  }

  async remove(key: string): Promise<void> {
    await unlink(this.#pathOf(key)).catch(ignore("ENOENT"));
  }

  async *list(): AsyncGenerator<{ key: string; keptAt: number }> {
    for (const shelf of await readdir(this.#folder)) {
      if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
      for (const key of await readdir(join(this.#folder, shelf))) {
        const seen = await stat(join(this.#folder, shelf, key)).catch(ignore("ENOENT"));
        if (seen) yield { key, keptAt: seen.mtimeMs };
      }
    }
  }

  removeKeptBefore(key: string, beforeMs: number): Promise<boolean> {
    return this.#alone(key, async () => {
      const path = this.#pathOf(key);
      const seen = await stat(path).catch(ignore("ENOENT"));
      if (!seen || seen.mtimeMs >= beforeMs) return false;
      await unlink(path).catch(ignore("ENOENT"));
      return true;
    });
  }

  async check(): Promise<void> {
    await stat(this.incoming);
  }

  async freeBytes(): Promise<number | undefined> {
    const seen = await statfs(this.#folder);
    return seen.bavail * seen.bsize;
  }

  /** Does not delete incoming files, because other processes may be writing here; a later start deletes stale ones. */
  async close(): Promise<void> {}

  /** If the same bytes are uploaded twice at once, the later file replaces the earlier identical one. */
  async #keep(temporary: string, key: string): Promise<string> {
    const path = this.#pathOf(key);
    if ((await mkdir(dirname(path), { recursive: true })) !== undefined) await syncFolder(this.#folder);
    const now = new Date();
    await utimes(temporary, now, now);
    await this.#alone(key, () => rename(temporary, path));
    await syncFolder(dirname(path));
    return path;
  }

  /**
   * Serialises operations per key, so that a sweep cannot delete a blob that is being stored. Only this process writes
   * to the folder.
   */
  #alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(work);
    const settled = turn.then(nothing, nothing).finally(() => {
      if (this.#turns.get(key) === settled) this.#turns.delete(key);
    });
    this.#turns.set(key, settled);
    return turn;
  }

  #pathOf(key: string): string {
    return join(this.#folder, checkKey(key).slice(0, 2), key);
  }
}

/** Stores blobs as files named by their hash, in 256 folders; incoming files have a folder of their own. */
export async function openFolderBlobs(folder: string): Promise<Blobs> {
  const incoming = join(folder, "incoming");
  await mkdir(incoming, { recursive: true });
  await clearStale(incoming);
  return new FolderBlobs(folder, incoming);
}
