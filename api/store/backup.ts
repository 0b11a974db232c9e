import { createWriteStream, existsSync } from "node:fs";
import { copyFile, link, mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { packTar } from "modern-tar/fs";
import { CannotOpen } from "./cannot-open.ts";
import { copyDatabase, storedVersion } from "./data-folder.ts";
import { shareFolder } from "./folder-lock.ts";
import { FILES_FOLDER } from "./open.ts";
import { DATABASE_FILE } from "./sqlite/sqlite.ts";

export const NOTE_FILE = "backup.json";

/** The manifest of a backup. */
export interface BackupNote {
  readonly kind: "lamplight backup";
  readonly dataVersion: number;
  readonly files: number;
}

/** A hard link takes no space; falls back to a copy. A file deleted meanwhile belongs to no document and is skipped. */
async function take(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(() => copyFile(from, to));
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return false;
    throw cause;
  }
}

async function takeFiles(from: string, to: string): Promise<number> {
  let taken = 0;
  const shelves = existsSync(from) ? await readdir(from) : [];
  for (const shelf of shelves.filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    await mkdir(join(to, shelf), { recursive: true });
    for (const name of await readdir(join(from, shelf)))
      if (await take(join(from, shelf, name), join(to, shelf, name))) taken += 1;
  }
  return taken;
}

/**
 * Written under a temporary name first, so that the final name always holds a complete backup. Readable only by its
 * owner, because it contains everything.
 */
async function pack(folder: string, file: string): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await pipeline(packTar(folder), createGzip({ level: 6 }), createWriteStream(partial, { mode: 0o600 }));
    const handle = await open(partial, "r");
    await handle.sync();
    await handle.close();
    await rename(partial, file);
  } catch (cause) {
    await rm(partial, { force: true });
    throw cause;
  }
}

/**
 * Writes a whole data folder to one file while the server runs. The database is copied first: files are stored before
 * documents refer to them, so every referenced file is included.
 */
export async function backUp(folder: string, file: string): Promise<BackupNote> {
  const database = join(folder, DATABASE_FILE);
  if (!existsSync(database))
    throw new CannotOpen(`There is no data in ${folder}. Example: DATA_DIR=/var/lib/lamplight`);
  if (existsSync(file)) throw new CannotOpen(`${file} already exists: choose another file`);
  const shared = shareFolder(folder);
  const staging = await mkdtemp(join(folder, "backup-"));
  try {
    copyDatabase(database, join(staging, DATABASE_FILE));
    const files = await takeFiles(join(folder, FILES_FOLDER), join(staging, FILES_FOLDER));
    const dataVersion = storedVersion(join(staging, DATABASE_FILE));
    const note: BackupNote = { kind: "lamplight backup", dataVersion, files };
    await writeFile(join(staging, NOTE_FILE), JSON.stringify(note));
    await pack(staging, file);
    return note;
  } finally {
    await rm(staging, { recursive: true, force: true });
    shared.release();
  }
}
