import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CannotOpen, cannotUseFolder } from "./cannot-open.ts";
import { lockFolder, shareFolder, type FolderLock } from "./folder-lock.ts";
import { migrate, newestVersion, tooNew, versionOf, type Migration } from "./migrations.ts";
import type { DocumentStore } from "./port.ts";
import { DATABASE_FILE, openSqlite } from "./sqlite/sqlite.ts";

const PROBE_BYTES = 256 * 1024;
/** Where SQLite's file format keeps `user_version`: https://www.sqlite.org/fileformat.html */
const VERSION_AT = 60;

/** The version of a database file, read without opening it, which could change the files of a newer one. */
export function storedVersion(path: string): number {
  const bytes = Buffer.alloc(4);
  const file = openSync(path, "r");
  try {
    return readSync(file, bytes, 0, 4, VERSION_AT) === 4 ? bytes.readUInt32BE() : 0;
  } finally {
    closeSync(file);
  }
}

export function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Step by step: Node's own recursive way never ends where a parent takes no folders, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  // What students write is for the server's account alone.
  mkdirSync(folder, { mode: 0o700 });
}

/** A full disk and a read-only folder are told now, not with the first write of a student. */
function probe(folder: string): void {
  const path = join(folder, `.probe-${process.pid}`);
  try {
    const file = openSync(path, "w");
    try {
      writeSync(file, Buffer.alloc(PROBE_BYTES, 1));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } finally {
    rmSync(path, { force: true });
  }
}

/** In the header of the file at once, where `storedVersion` finds it. */
function writeVersion(path: string, version: number): void {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = ${version}; PRAGMA wal_checkpoint(TRUNCATE)`);
  } finally {
    db.close();
  }
}

/** None of the old database's log may be left beside the new one. */
function emptyLog(path: string): void {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}

/** As it stands at this moment, whoever writes meanwhile. */
export function copyDatabase(path: string, copy: string): void {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    db.prepare("VACUUM INTO ?").run(copy);
  } finally {
    db.close();
  }
}

/** A database may have files beside it while it is open, and after a crash. */
export const DATABASE_SUFFIXES = ["", "-wal", "-shm", "-journal"] as const;

function removeDatabase(path: string): void {
  for (const suffix of DATABASE_SUFFIXES) rmSync(path + suffix, { force: true });
}

/** Works on a copy that takes the original's place when it is complete; the original stays beside it. */
async function bringUpToDate(folder: string, steps: readonly Migration[]): Promise<void> {
  const path = join(folder, DATABASE_FILE);
  const from = versionOf(storedVersion(path));
  const copy = join(folder, "lamplight-next.db");
  const kept = join(folder, `lamplight-version-${from}.db`);
  removeDatabase(copy);
  try {
    emptyLog(path);
    copyDatabase(path, copy);
    const store = openSqlite({ path: copy });
    try {
      await migrate(store, from, steps);
    } finally {
      await store.close();
    }
    writeVersion(copy, newestVersion(steps));
    sync(copy);
    rmSync(kept, { force: true });
    linkSync(path, kept);
    renameSync(copy, path);
    sync(folder);
  } catch (cause) {
    removeDatabase(copy);
    throw cause;
  }
}

async function prepare(folder: string, steps: readonly Migration[]): Promise<void> {
  const path = join(folder, DATABASE_FILE);
  makeFolder(resolve(folder));
  const known = newestVersion(steps);
  const stored = existsSync(path) ? storedVersion(path) : undefined;
  if (stored !== undefined && stored > known) throw new CannotOpen(tooNew(`The data folder ${folder}`, stored, known));
  probe(folder);
  if (stored === undefined || versionOf(stored) === known) return;
  const alone = lockFolder(folder);
  try {
    await bringUpToDate(folder, steps);
  } finally {
    alone.release();
  }
}

async function openShared(folder: string, shared: FolderLock, version: number): Promise<DocumentStore> {
  const path = join(folder, DATABASE_FILE);
  const store = openSqlite({ folder });
  try {
    if (storedVersion(path) !== version) writeVersion(path, version);
  } catch (cause) {
    await store.close();
    throw cause;
  }
  return {
    ...store,
    async close() {
      await store.close();
      shared.release();
    },
  };
}

/** The database of a data folder, brought up to date; throws `CannotOpen` where it cannot be used as it is. */
export async function openDataFolder(folder: string, steps: readonly Migration[]): Promise<DocumentStore> {
  try {
    await prepare(folder, steps);
    const shared = shareFolder(folder);
    try {
      return await openShared(folder, shared, newestVersion(steps));
    } catch (cause) {
      shared.release();
      throw cause;
    }
  } catch (cause) {
    throw cannotUseFolder(folder, cause);
  }
}
