import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageUnusableError } from "./storage-unusable.ts";

export interface FolderLock {
  release(): void;
}

const LOCK_FILE = "lock.db";

const isBusy = (cause: unknown) => cause instanceof Error && "errcode" in cause && cause.errcode === 5;

/**
 * Any number of processes may share a data folder: SQLite serialises their writes, files are named by content, and jobs
 * have leases. Migration and restore need the folder exclusively. Both are locks on an empty database, which the
 * operating system releases when a process dies.
 */
function lock(folder: string, beginSql: string, busyMessage: string): FolderLock {
  const db = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 1000 });
  try {
    db.exec(beginSql);
    return { release: () => db.close() };
  } catch (cause) {
    db.close();
    throw isBusy(cause) ? new StorageUnusableError(busyMessage, { cause }) : cause;
  }
}

export function lockFolderShared(folder: string): FolderLock {
  const busyMessage = `The data folder ${folder} is being migrated or restored by another process: wait until it has finished`;
  return lock(folder, "BEGIN; SELECT count(*) FROM sqlite_schema", busyMessage);
}

export function lockFolderExclusive(folder: string): FolderLock {
  const busyMessage = `The data folder ${folder} is in use: stop the Lamplight server that uses it first`;
  return lock(folder, "BEGIN EXCLUSIVE", busyMessage);
}
