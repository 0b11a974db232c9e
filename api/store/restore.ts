import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import { NOTE_FILE, type BackupNote } from "./backup.ts";
import { CannotOpen } from "./cannot-open.ts";
import { DATABASE_SUFFIXES, storedVersion, sync } from "./data-folder.ts";
import { lockFolder } from "./folder-lock.ts";
import { migrations, newestVersion, tooNew } from "./migrations.ts";
import { FILES_FOLDER } from "./open.ts";
import { DATABASE_FILE } from "./sqlite/sqlite.ts";

interface RestoreOptions {
  /** Moves existing data to a side folder instead of refusing. */
  readonly replace: boolean;
}

interface Restored extends BackupNote {
  /** Folder with the previous data, if there was any. */
  readonly aside: string | undefined;
}

async function unpack(file: string, staging: string): Promise<BackupNote> {
  try {
    await pipeline(createReadStream(file), createGunzip(), unpackTar(staging));
    const note = JSON.parse(await readFile(join(staging, NOTE_FILE), "utf8")) as BackupNote;
    if (note.kind === "lamplight backup") return note;
  } catch (cause) {
    throw new CannotOpen(`${file} is incomplete or not a backup: nothing was changed`, { cause });
  }
  throw new CannotOpen(`${file} is not a backup of Lamplight: nothing was changed`);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Verifies that every file matches its hash and that the database is intact. */
async function checkWhole(file: string, staging: string, note: BackupNote): Promise<void> {
  const database = join(staging, DATABASE_FILE);
  const damaged = (what: string) => new CannotOpen(`${file} is damaged (${what}): nothing was changed`);
  if (!existsSync(database)) throw damaged("no database");
  const db = new DatabaseSync(database);
  try {
    if (db.prepare("PRAGMA integrity_check").get()?.["integrity_check"] !== "ok") throw damaged("the database");
  } finally {
    db.close();
  }
  let files = 0;
  const folder = join(staging, FILES_FOLDER);
  for (const shelf of existsSync(folder) ? await readdir(folder) : [])
    for (const name of await readdir(join(folder, shelf))) {
      files += 1;
      if ((await hashOf(join(folder, shelf, name))) !== name) throw damaged(`the file ${name}`);
    }
  if (files !== note.files) throw damaged(`${files} files instead of ${note.files}`);
}

async function move(from: string, to: string, names: readonly string[]): Promise<void> {
  for (const name of names) if (existsSync(join(from, name))) await rename(join(from, name), join(to, name));
}

const contents = [...DATABASE_SUFFIXES.map((suffix) => DATABASE_FILE + suffix), FILES_FOLDER];

/** Restores a backup into a data folder that no process uses; existing data is moved, never deleted. */
export async function restore(folder: string, file: string, { replace }: RestoreOptions): Promise<Restored> {
  if (!existsSync(file)) throw new CannotOpen(`There is no file ${file}`);
  await mkdir(folder, { recursive: true });
  const isTaken = existsSync(join(folder, DATABASE_FILE));
  if (isTaken && !replace)
    throw new CannotOpen(`There is data in ${folder}: add --replace to move it to a separate folder`);
  const alone = lockFolder(folder);
  const staging = await mkdtemp(join(folder, "restoring-"));
  try {
    const note = await unpack(file, staging);
    await checkWhole(file, staging, note);
    const version = storedVersion(join(staging, DATABASE_FILE));
    if (version > newestVersion(migrations)) throw new CannotOpen(tooNew(file, version, newestVersion(migrations)));
    const previousFolder = isTaken ? await mkdtemp(join(folder, "before-restore-")) : undefined;
    if (previousFolder) await move(folder, previousFolder, contents);
    await move(staging, folder, contents);
    sync(folder);
    return { ...note, aside: previousFolder };
  } finally {
    await rm(staging, { recursive: true, force: true });
    alone.release();
  }
}
