import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { copyFile, link, mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { packTar } from "modern-tar/fs";
import { describeDamage, StorageUnusableError } from "./storage-unusable.ts";
import { copyDatabase, FILES_FOLDER, readStoredVersion } from "./data-folder.ts";
import { lockFolderShared } from "./folder-lock.ts";
import { recordBackup } from "./last-backup.ts";
import { findDamage } from "./sqlite/integrity.ts";
import { DATABASE_FILE } from "./sqlite/sqlite-store.ts";

export const MANIFEST_FILE = "backup.json";

/** The manifest of a backup. */
export interface BackupManifest {
  readonly kind: "lamplight backup";
  readonly dataVersion: number;
  readonly files: number;
  /** SHA-256 of the database; each file is named by its SHA-256. Missing in backups of earlier programs. */
  readonly databaseSha256?: string;
  /** Names of files that were damaged in the data folder, and are not part of the backup. */
  readonly damagedFiles?: readonly string[];
}

/** A hard link takes no space; falls back to a copy. A file deleted meanwhile belongs to no document and is skipped. */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(() => copyFile(from, to));
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return false;
    throw cause;
  }
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** A restore refuses a backup with a file that does not match its name, so damaged files are left out. */
async function linkFiles(from: string, to: string): Promise<{ files: number; damagedFiles: string[] }> {
  let linked = 0;
  const damagedFiles: string[] = [];
  const subfolders = existsSync(from) ? await readdir(from) : [];
  for (const subfolder of subfolders.filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    await mkdir(join(to, subfolder), { recursive: true });
    for (const name of await readdir(join(from, subfolder)))
      if (await linkOrCopy(join(from, subfolder, name), join(to, subfolder, name))) {
        linked += 1;
        if ((await hashFile(join(to, subfolder, name))) === name) continue;
        await rm(join(to, subfolder, name));
        linked -= 1;
        damagedFiles.push(name);
      }
  }
  return { files: linked, damagedFiles };
}

/**
 * Written under a temporary name first, so that the file with the final name is always a complete backup. Readable only
 * by its owner, because it contains everything.
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
export async function createBackup(folder: string, file: string): Promise<BackupManifest> {
  const database = join(folder, DATABASE_FILE);
  if (!existsSync(database))
    throw new StorageUnusableError(`There is no data in ${folder}. Example: DATA_DIR=/var/lib/lamplight`);
  if (existsSync(file)) throw new StorageUnusableError(`${file} already exists: choose another file`);
  const shared = lockFolderShared(folder);
  const staging = await mkdtemp(join(folder, "backup-"));
  try {
    const copy = join(staging, DATABASE_FILE);
    copyDatabase(database, copy);
    const damage = findDamage(copy);
    if (damage !== undefined) throw new StorageUnusableError(`No backup was made. ${describeDamage(folder, damage)}`);
    const { files, damagedFiles } = await linkFiles(join(folder, FILES_FOLDER), join(staging, FILES_FOLDER));
    const dataVersion = readStoredVersion(copy);
    const manifest: BackupManifest = {
      kind: "lamplight backup",
      dataVersion,
      files,
      databaseSha256: await hashFile(copy),
      damagedFiles,
    };
    await writeFile(join(staging, MANIFEST_FILE), JSON.stringify(manifest));
    await pack(staging, file);
    await recordBackup(folder, Date.now());
    return manifest;
  } finally {
    await rm(staging, { recursive: true, force: true });
    shared.release();
  }
}
