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
import { describeDamage, StorageUnusableError, toStorageUnusable } from "./storage-unusable.ts";
import { lockFolderExclusive, lockFolderShared, type FolderLock } from "./folder-lock.ts";
import { migrate, getNewestVersion, describeTooNew, toVersion, type Migration } from "./migrations.ts";
import type { DocumentStore } from "./port.ts";
import { checkAtStart, type IntegrityCheck } from "./sqlite/integrity.ts";
import { DATABASE_FILE, openSqlite, type SqliteStore } from "./sqlite/sqlite-store.ts";

/** Subfolder of the data folder for files. */
export const FILES_FOLDER = "files";

const PROBE_BYTES = 256 * 1024;
/** Offset of `user_version` in the SQLite file format: https://www.sqlite.org/fileformat.html */
const VERSION_OFFSET = 60;

/** Reads the version without opening the database, because opening could change the files of a newer one. */
export function readStoredVersion(path: string): number {
  const bytes = Buffer.alloc(4);
  const file = openSync(path, "r");
  try {
    return readSync(file, bytes, 0, 4, VERSION_OFFSET) === 4 ? bytes.readUInt32BE() : 0;
  } finally {
    closeSync(file);
  }
}

export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** One level at a time: Node's recursive mkdir never returns if a parent allows no folders, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  // Users' data is readable only by the server's own account.
  mkdirSync(folder, { mode: 0o700 });
}

/** Reports a full disk or read-only folder at startup instead of at a student's first write. */
function checkWritable(folder: string): void {
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

/** Flushes the version to the file header, where `readStoredVersion` reads it. */
function writeVersion(path: string, version: number): void {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = ${version}; PRAGMA wal_checkpoint(TRUNCATE)`);
  } finally {
    db.close();
  }
}

/** Empties the write-ahead log, because no log of the old database may remain beside the new one. */
function truncateLog(path: string): void {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}

/** A consistent snapshot, even during concurrent writes. */
export function copyDatabase(path: string, copy: string): void {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    db.prepare("VACUUM INTO ?").run(copy);
  } finally {
    db.close();
  }
}

/** SQLite keeps these files beside an open database, and after a crash. */
export const DATABASE_SUFFIXES = ["", "-wal", "-shm", "-journal"] as const;

function removeDatabase(path: string): void {
  for (const suffix of DATABASE_SUFFIXES) rmSync(path + suffix, { force: true });
}

/** Migrates a copy that replaces the original when complete; the original is kept beside it. */
async function migrateFolder(folder: string, steps: readonly Migration[]): Promise<void> {
  const path = join(folder, DATABASE_FILE);
  const from = toVersion(readStoredVersion(path));
  const copy = join(folder, "lamplight-next.db");
  const previousPath = join(folder, `lamplight-version-${from}.db`);
  removeDatabase(copy);
  try {
    truncateLog(path);
    copyDatabase(path, copy);
    const store = openSqlite({ path: copy });
    try {
      await migrate(store, from, steps);
    } finally {
      await store.close();
    }
    writeVersion(copy, getNewestVersion(steps));
    syncFile(copy);
    rmSync(previousPath, { force: true });
    linkSync(path, previousPath);
    renameSync(copy, path);
    syncFile(folder);
  } catch (cause) {
    removeDatabase(copy);
    throw cause;
  }
}

/** Returns the check of the database, if there is one. A damaged database is not migrated. */
async function prepare(folder: string, steps: readonly Migration[]): Promise<IntegrityCheck | undefined> {
  const path = join(folder, DATABASE_FILE);
  makeFolder(resolve(folder));
  const newest = getNewestVersion(steps);
  const stored = existsSync(path) ? readStoredVersion(path) : undefined;
  if (stored !== undefined && stored > newest)
    throw new StorageUnusableError(describeTooNew(`The data folder ${folder}`, stored, newest));
  checkWritable(folder);
  if (stored === undefined) return undefined;
  const check = await checkAtStart(path);
  if (toVersion(stored) === newest) return check;
  if (check.damage !== undefined) throw new StorageUnusableError(describeDamage(folder, check.damage));
  const exclusiveLock = lockFolderExclusive(folder);
  try {
    await migrateFolder(folder, steps);
  } finally {
    exclusiveLock.release();
  }
  return check;
}

async function openShared(folder: string, shared: FolderLock, version: number): Promise<SqliteStore> {
  const path = join(folder, DATABASE_FILE);
  const store = openSqlite({ folder });
  try {
    if (readStoredVersion(path) !== version) writeVersion(path, version);
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

/** An open data folder. */
export interface DataFolder {
  readonly store: DocumentStore;
  /**
   * Damage found when the folder was opened, and damage found by the check that continues afterwards. Either makes the
   * store read-only.
   */
  readonly damage: string | undefined;
  readonly laterDamage: Promise<string | undefined>;
}

async function guard(store: SqliteStore, check: IntegrityCheck | undefined): Promise<DataFolder> {
  if (check?.damage !== undefined) store.refuseWrites();
  const later = async () => {
    const found = await check?.outcome;
    if (found !== undefined) store.refuseWrites();
    return found;
  };
  return { store, damage: check?.damage, laterDamage: later() };
}

/** Opens the database of a data folder and migrates it; throws `StorageUnusableError` if it cannot be used. */
export async function openDataFolder(folder: string, steps: readonly Migration[]): Promise<DataFolder> {
  try {
    const check = await prepare(folder, steps);
    const shared = lockFolderShared(folder);
    try {
      return await guard(await openShared(folder, shared, getNewestVersion(steps)), check);
    } catch (cause) {
      shared.release();
      throw cause;
    }
  } catch (cause) {
    throw toStorageUnusable(folder, cause);
  }
}
