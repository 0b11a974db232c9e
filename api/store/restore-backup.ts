import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import { MANIFEST_FILE, type BackupManifest } from "./create-backup.ts";
import { StorageUnusable } from "./storage-unusable.ts";
import { DATABASE_SUFFIXES, FILES_FOLDER, readStoredVersion, syncFile } from "./data-folder.ts";
import { lockFolderExclusive } from "./folder-lock.ts";
import { migrations, getNewestVersion, describeTooNew } from "./migrations.ts";
import { DATABASE_FILE } from "./sqlite/sqlite-store.ts";

interface RestoreOptions {
  /** Moves existing data to a side folder instead of refusing. */
  readonly replace: boolean;
}

interface Restored extends BackupManifest {
  /** Folder with the previous data, if there was any. */
  readonly previousDataFolder: string | undefined;
}

async function unpack(file: string, staging: string): Promise<BackupManifest> {
  try {
    await pipeline(createReadStream(file), createGunzip(), unpackTar(staging));
    const manifest = JSON.parse(await readFile(join(staging, MANIFEST_FILE), "utf8")) as BackupManifest;
    if (manifest.kind === "lamplight backup") return manifest;
  } catch (cause) {
    throw new StorageUnusable(`${file} is incomplete or not a backup: nothing was changed`, { cause });
  }
  throw new StorageUnusable(`${file} is not a backup of Lamplight: nothing was changed`);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Verifies that every file matches its hash and that the database is intact. */
async function verifyBackup(file: string, staging: string, manifest: BackupManifest): Promise<void> {
  const database = join(staging, DATABASE_FILE);
  const toDamaged = (what: string) => new StorageUnusable(`${file} is damaged (${what}): nothing was changed`);
  if (!existsSync(database)) throw toDamaged("no database");
  const db = new DatabaseSync(database);
  try {
    if (db.prepare("PRAGMA integrity_check").get()?.["integrity_check"] !== "ok") throw toDamaged("the database");
  } finally {
    db.close();
  }
  let files = 0;
  const folder = join(staging, FILES_FOLDER);
  for (const subfolder of existsSync(folder) ? await readdir(folder) : [])
    for (const name of await readdir(join(folder, subfolder))) {
      files += 1;
      if ((await hashFile(join(folder, subfolder, name))) !== name) throw toDamaged(`the file ${name}`);
    }
  if (files !== manifest.files) throw toDamaged(`${files} files instead of ${manifest.files}`);
}

async function moveEntries(from: string, to: string, names: readonly string[]): Promise<void> {
  for (const name of names) if (existsSync(join(from, name))) await rename(join(from, name), join(to, name));
}

const contents = [...DATABASE_SUFFIXES.map((suffix) => DATABASE_FILE + suffix), FILES_FOLDER];

/** Restores a backup into a data folder that no process uses; existing data is moved, never deleted. */
export async function restoreBackup(folder: string, file: string, { replace }: RestoreOptions): Promise<Restored> {
  if (!existsSync(file)) throw new StorageUnusable(`There is no file ${file}`);
  await mkdir(folder, { recursive: true });
  const hasData = existsSync(join(folder, DATABASE_FILE));
  if (hasData && !replace)
    throw new StorageUnusable(`There is data in ${folder}: add --replace to move it to a separate folder`);
  const exclusiveLock = lockFolderExclusive(folder);
  const staging = await mkdtemp(join(folder, "restoring-"));
  try {
    const manifest = await unpack(file, staging);
    await verifyBackup(file, staging, manifest);
    const version = readStoredVersion(join(staging, DATABASE_FILE));
    if (version > getNewestVersion(migrations))
      throw new StorageUnusable(describeTooNew(file, version, getNewestVersion(migrations)));
    const previousFolder = hasData ? await mkdtemp(join(folder, "before-restore-")) : undefined;
    if (previousFolder) await moveEntries(folder, previousFolder, contents);
    await moveEntries(staging, folder, contents);
    syncFile(folder);
    return { ...manifest, previousDataFolder: previousFolder };
  } finally {
    await rm(staging, { recursive: true, force: true });
    exclusiveLock.release();
  }
}
