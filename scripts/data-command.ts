// Implements `npm run backup` and `npm run restore`.
import { resolve } from "node:path";
import { InvalidSetting, readSettings } from "#api/settings.ts";
import { createBackup } from "#api/store/create-backup.ts";
import { StorageUnusable, toStorageUnusable } from "#api/store/storage-unusable.ts";
import { restoreBackup } from "#api/store/restore-backup.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);

function fail(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

async function runCommand(command: string, file: string, replace: boolean): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.MONGODB_URI)
    fail("The data is stored in MongoDB (MONGODB_URI is set). Use mongodump and mongorestore instead.");
  const folder = resolve(settings.DATA_DIR);
  try {
    if (command === "backup") {
      const { files } = await createBackup(folder, file);
      print(`Backed up ${folder} to ${file}: the database and ${files} files`);
      return;
    }
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
const example = command === "backup" ? "npm run backup -- lamplight.tar.gz" : "npm run restore -- lamplight.tar.gz";
if (name === undefined || names.length > 1 || unknown.length > 0) fail(`Enter one file name. Example: ${example}`);
try {
  await runCommand(command, resolve(name), rest.includes("--replace"));
} catch (cause) {
  if (cause instanceof InvalidSetting || cause instanceof StorageUnusable) fail(cause.message);
  throw cause;
}
