import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { hashFile } from "./create-backup.ts";
import { DATABASE_SUFFIXES, readStoredVersion } from "./data-folder.ts";
import { lockFolderExclusive } from "./folder-lock.ts";
import { getNewestVersion, migrations, toVersion } from "./migrations.ts";
import { FILES_FOLDER } from "./data-folder.ts";
import { listTables } from "./sqlite/integrity.ts";
import { readDamagedTable } from "./sqlite/read-damaged.ts";
import { DATABASE_FILE } from "./sqlite/sqlite-store.ts";
import { StorageUnusableError } from "./storage-unusable.ts";

export const REPORT_FILE = "rescue-report.json";
/** The first bytes of every SQLite file: https://www.sqlite.org/fileformat.html */
const MAGIC = Buffer.from("SQLite format 3\0");

export interface RescueReport {
  /** Documents that were read, by collection. */
  readonly documents: Readonly<Record<string, number>>;
  /** Documents that are known to exist and cannot be read; `text` is the part of a document that was found. */
  readonly lost: readonly { readonly collection: string; readonly id: string; readonly text?: string }[];
  readonly files: number;
  /** Files that a document refers to, and that are damaged or gone. */
  readonly lostFiles: readonly { readonly name: string; readonly key: string }[];
}

/** Whether a text is the document with that id. */
function isDocument(id: string, text: string): boolean {
  try {
    return (JSON.parse(text) as { _id?: unknown } | null)?._id === id;
  } catch {
    return false;
  }
}

/**
 * Makes a copy, because opening a database changes it. The first bytes of a database are always the same, so they can
 * be repaired.
 */
function copyToOpen(folder: string, staging: string): string {
  mkdirSync(staging);
  const path = join(staging, DATABASE_FILE);
  for (const suffix of DATABASE_SUFFIXES.filter((name) => name !== "-shm")) {
    const source = join(folder, DATABASE_FILE + suffix);
    if (existsSync(source)) copyFileSync(source, path + suffix);
  }
  const file = openSync(path, "r+");
  writeSync(file, MAGIC, 0, MAGIC.length, 0);
  closeSync(file);
  return path;
}

function copyDocuments(source: DatabaseSync, target: DatabaseSync): Pick<RescueReport, "documents" | "lost"> {
  const documents: Record<string, number> = {};
  const lost: RescueReport["lost"][number][] = [];
  for (const collection of listTables(source)) {
    const { rows, lostIds } = readDamagedTable(source, collection);
    const whole = rows.filter(({ id, text }) => isDocument(id, text));
    const broken = rows.filter(({ id, text }) => !isDocument(id, text));
    target.exec(`BEGIN; CREATE TABLE "${collection}" (_id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)`);
    const insert = target.prepare(`INSERT OR IGNORE INTO "${collection}" VALUES (?, ?)`);
    for (const { id, text } of whole) insert.run(id, text);
    target.exec("COMMIT");
    documents[collection] = whole.length;
    lost.push(
      ...broken.map(({ id, text }) => ({ collection, id, text })),
      ...lostIds.map((id) => ({ collection, id })),
    );
  }
  return { documents, lost };
}

function rescueDatabase(path: string, targetPath: string, version: number): Pick<RescueReport, "documents" | "lost"> {
  const source = new DatabaseSync(path);
  const target = new DatabaseSync(targetPath);
  try {
    target.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = ${version}`);
    const report = copyDocuments(source, target);
    target.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return report;
  } finally {
    source.close();
    target.close();
  }
}

async function copyFiles(from: string, to: string): Promise<Set<string>> {
  const copied = new Set<string>();
  const subfolders = existsSync(from) ? await readdir(from) : [];
  for (const subfolder of subfolders.filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    await mkdir(join(to, subfolder), { recursive: true });
    for (const name of await readdir(join(from, subfolder))) {
      const source = join(from, subfolder, name);
      const isWhole = await hashFile(source).then(
        (hash) => hash === name,
        () => false,
      );
      if (!isWhole) continue;
      await copyFile(source, join(to, subfolder, name));
      copied.add(name);
    }
  }
  return copied;
}

/** The files that the rescued documents refer to and that were not copied. */
function findLostFiles(path: string, copied: ReadonlySet<string>): RescueReport["lostFiles"] {
  const db = new DatabaseSync(path);
  try {
    if (!listTables(db).includes("files")) return [];
    const rows = db.prepare("SELECT doc ->> '$.name' AS name, doc ->> '$.blobKey' AS key FROM files").all();
    const records = rows.map((row) => ({ name: String(row["name"]), key: String(row["key"]) }));
    return records.filter(({ key }) => !copied.has(key));
  } finally {
    db.close();
  }
}

const readVersion = (path: string): number =>
  Math.min(toVersion(readStoredVersion(path)), getNewestVersion(migrations));

/**
 * Copies everything that can be read of a damaged data folder to a new one, and reports what cannot. The damaged folder
 * stays as it is.
 */
export async function rescueData(folder: string, target: string): Promise<RescueReport> {
  if (!existsSync(join(folder, DATABASE_FILE))) throw new StorageUnusableError(`There is no data in ${folder}`);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new StorageUnusableError(`${target} is not empty: choose a new folder. Example: npm run rescue -- rescued`);
  const lock = lockFolderExclusive(folder);
  const staging = join(target, "rescuing");
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    const path = copyToOpen(folder, staging);
    const database = join(target, DATABASE_FILE);
    const { documents, lost } = rescueDatabase(path, database, readVersion(path));
    const copied = await copyFiles(join(folder, FILES_FOLDER), join(target, FILES_FOLDER));
    const report = { documents, lost, files: copied.size, lostFiles: findLostFiles(database, copied) };
    writeFileSync(join(target, REPORT_FILE), JSON.stringify(report, null, 2), { mode: 0o600 });
    return report;
  } catch (cause) {
    rmSync(target, { recursive: true, force: true });
    throw new StorageUnusableError(`Nothing in ${folder} can be read. Restore a backup instead.`, { cause });
  } finally {
    rmSync(staging, { recursive: true, force: true });
    lock.release();
  }
}
