// Implements `npm run backup`, `npm run restore` and `npm run rescue`.
import { join, resolve } from "node:path";
import { InvalidSettingError, readSettings } from "#api/settings.ts";
import { createBackup } from "#api/store/create-backup.ts";
import { REPORT_FILE, rescueData, type RescueReport } from "#api/store/rescue-data.ts";
import { StorageUnusableError, toStorageUnusable } from "#api/store/storage-unusable.ts";
import { restoreBackup } from "#api/store/restore-backup.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);

function fail(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function printReport(target: string, { documents, lost, files, lostFiles }: RescueReport): void {
  const total = Object.values(documents).reduce((sum, count) => sum + count, 0);
  print(`Copied what can be read to ${target}: ${total} documents and ${files} files`);
  for (const collection of new Set(lost.map((document) => document.collection))) {
    const count = lost.filter((document) => document.collection === collection).length;
    print(`Not readable: ${count} documents of ${collection}`);
  }
  if (lostFiles.length > 0) print(`Not readable: ${lostFiles.map(({ name }) => name).join(", ")}`);
  if (lost.length + lostFiles.length > 0) print(`The list is in ${join(target, REPORT_FILE)}`);
  print(`To use it, start with DATA_DIR=${target}`);
}

async function runCommand(command: string, file: string, replace: boolean): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.MONGODB_URI)
    fail("The data is stored in MongoDB (MONGODB_URI is set). Use mongodump and mongorestore instead.");
  const folder = resolve(settings.DATA_DIR);
  try {
    if (command === "backup") {
      const { files, damagedFiles = [] } = await createBackup(folder, file);
      print(`Backed up ${folder} to ${file}: the database and ${files} files`);
      if (damagedFiles.length > 0)
        print(`${damagedFiles.length} files are damaged and not in the backup: ${damagedFiles.join(", ")}`);
      return;
    }
    if (command === "rescue") return printReport(file, await rescueData(folder, file));
    const { files, previousDataFolder: aside } = await restoreBackup(folder, file, { replace });
    print(`Restored ${file} to ${folder}: the database and ${files} files`);
    if (aside) print(`The previous data was moved to ${aside}. Delete it when you no longer need it.`);
  } catch (cause) {
    throw toStorageUnusable(folder, cause);
  }
}

const [command = "", ...rest] = process.argv.slice(2);
const names = rest.filter((word) => !word.startsWith("--"));
const unknown = rest.filter((word) => word.startsWith("--") && !(word === "--replace" && command === "restore"));
const [name] = names;
const examples: Readonly<Record<string, string>> = {
  backup: "Enter one file name. Example: npm run backup -- lamplight.tar.gz",
  restore: "Enter one file name. Example: npm run restore -- lamplight.tar.gz",
  rescue: "Enter one new folder. Example: npm run rescue -- rescued",
};
if (name === undefined || names.length > 1 || unknown.length > 0) fail(examples[command] ?? "");
try {
  await runCommand(command, resolve(name), rest.includes("--replace"));
} catch (cause) {
  if (cause instanceof InvalidSettingError || cause instanceof StorageUnusableError) fail(cause.message);
  throw cause;
}
