import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import { hashFile, MANIFEST_FILE, type BackupManifest } from "./create-backup.ts";
import { StorageUnusableError } from "./storage-unusable.ts";
import { DATABASE_SUFFIXES, FILES_FOLDER, readStoredVersion, syncFile } from "./data-folder.ts";
import { lockFolderExclusive } from "./folder-lock.ts";
import { migrations, getNewestVersion, describeTooNew } from "./migrations.ts";
import { findDamage } from "./sqlite/integrity.ts";
import { DATABASE_FILE } from "./sqlite/sqlite-store.ts";

interface RestoreOptions {
  /** Moves existing data to a side folder instead of refusing. */
  readonly replace: boolean;
}

interface Restored extends BackupManifest {
  /** Folder with the previous data, if there was any. */
  readonly previousDataFolder: string | undefined;
}

/** Reads the whole file to verify the checksum of gzip. */
const verifyCompression = (file: string) =>
  pipeline(createReadStream(file), createGunzip(), new Writable({ write: (_chunk, _encoding, done) => done() }));

async function unpack(file: string, staging: string): Promise<BackupManifest> {
  try {
    // Verify first, because the unpacker neither ends nor fails when its input fails.
    await verifyCompression(file);
    await pipeline(createReadStream(file), createGunzip(), unpackTar(staging));
    const manifest = JSON.parse(await readFile(join(staging, MANIFEST_FILE), "utf8")) as BackupManifest;
    if (manifest.kind === "lamplight backup") return manifest;
  } catch (cause) {
    throw new StorageUnusableError(`${file} is incomplete or not a backup: nothing was changed`, { cause });
  }
  throw new StorageUnusableError(`${file} is not a backup of Lamplight: nothing was changed`);
}

/** Verifies that every file matches its hash and that the database is intact. */
async function verifyBackup(file: string, staging: string, manifest: BackupManifest): Promise<void> {
  const database = join(staging, DATABASE_FILE);
  const toDamaged = (what: string) => new StorageUnusableError(`${file} is damaged (${what}): nothing was changed`);
  if (!existsSync(database)) throw toDamaged("no database");
  if (manifest.databaseSha256 !== undefined && (await hashFile(database)) !== manifest.databaseSha256)
    throw toDamaged("the database does not match its checksum");
  const damage = findDamage(database);
  if (damage !== undefined) throw toDamaged(`the database: ${damage}`);
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
  if (!existsSync(file)) throw new StorageUnusableError(`There is no file ${file}`);
  const isNew = !existsSync(folder);
  await mkdir(folder, { recursive: true });
  const hasData = existsSync(join(folder, DATABASE_FILE));
  if (hasData && !replace)
    throw new StorageUnusableError(`There is data in ${folder}: add --replace to move it to a separate folder`);
  const exclusiveLock = lockFolderExclusive(folder);
  const staging = await mkdtemp(join(folder, "restoring-"));
  let isRestored = false;
  try {
    const manifest = await unpack(file, staging);
    await verifyBackup(file, staging, manifest);
    const version = readStoredVersion(join(staging, DATABASE_FILE));
    if (version > getNewestVersion(migrations))
      throw new StorageUnusableError(describeTooNew(file, version, getNewestVersion(migrations)));
    const previousFolder = hasData ? await mkdtemp(join(folder, "before-restore-")) : undefined;
    if (previousFolder) await moveEntries(folder, previousFolder, contents);
    await moveEntries(staging, folder, contents);
    syncFile(folder);
    isRestored = true;
    return { ...manifest, previousDataFolder: previousFolder };
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
    exclusiveLock.release();
    if (isNew && !isRestored) await rm(folder, { recursive: true, force: true });
  }
}
