import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Stored beside the database, so that the server knows about backups that a command made. */
const LAST_BACKUP_FILE = "last-backup.json";

export const recordBackup = (folder: string, at: number): Promise<void> =>
  writeFile(join(folder, LAST_BACKUP_FILE), JSON.stringify({ at }));

/** When the last complete backup was made, epoch ms; null if none is known. */
export async function readLastBackup(folder: string): Promise<number | null> {
  try {
    const stored: unknown = JSON.parse(await readFile(join(folder, LAST_BACKUP_FILE), "utf8"));
    const at = typeof stored === "object" && stored !== null && "at" in stored ? stored.at : null;
    return typeof at === "number" ? at : null;
  } catch {
    return null;
  }
}
