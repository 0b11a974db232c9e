import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Failure } from "#shared/contract/failure.ts";
import { createBackup } from "#api/store/create-backup.ts";
import { openStorage } from "#api/open-storage.ts";
import { rescueData } from "#api/store/rescue-data.ts";
import { restoreBackup } from "#api/store/restore-backup.ts";
import { startApi } from "#tests/kit/api.ts";
import { seededDraws } from "#tests/kit/random.ts";
import { aPicture } from "#tests/kit/files.ts";
import { aPage, aText } from "../changes.ts";
import { ownFolder } from "../own-folder.ts";

const PAGES = 30;

/** The command as `npm run` starts it. */
function command(args: readonly string[], dataDir: string): Promise<{ code: number; output: string }> {
  const flags = ["--disable-warning=ExperimentalWarning", "scripts/data-command.ts", ...args];
  const env = { ...process.env, DATA_DIR: dataDir, MONGODB_URI: "" };
  return new Promise((resolve) => {
    execFile(process.execPath, flags, { env }, (failure, out, err) => {
      resolve({ code: failure ? Number(failure.code) : 0, output: out + err });
    });
  });
}

/** A data folder with pages, a text on each, and a picture. */
async function aDataFolder(parent: string): Promise<{ folder: string; token: string; pageIds: string[] }> {
  const folder = join(parent, "data");
  const api = await startApi({ dataDir: folder });
  const ada = await api.newUser();
  const pageIds: string[] = [];
  for (let n = 0; n < PAGES; n += 1) {
    const page = await aPage(ada, `Page ${n}`);
    pageIds.push(page);
    await aText(ada, page, `What is on page ${n}. `.repeat(40));
    if (n === 0) await aPicture(ada, page);
  }
  await api.stop();
  return { folder, token: ada.token, pageIds };
}

/** Overwrites the middle of a leaf page of a table, so that some of its documents are gone. */
function damageTable(folder: string, table: string): void {
  const path = join(folder, "lamplight.db");
  const db = new DatabaseSync(path);
  const root = Number(db.prepare("SELECT rootpage AS root FROM sqlite_schema WHERE name = ?").get(table)?.["root"]);
  const size = Number(db.prepare("PRAGMA page_size").get()?.["page_size"]);
  db.close();
  const file = openSync(path, "r+");
  const page = Buffer.alloc(size);
  readSync(file, page, 0, size, (root - 1) * size);
  // In an interior page of a table (type 5), the first cell begins with the number of a leaf page.
  expect(page[0]).toBe(5);
  const leaf = page.readUInt32BE(page.readUInt16BE(12));
  writeSync(file, Buffer.alloc(size, 0xee), 0, size, (leaf - 1) * size);
  closeSync(file);
}

const documentsOf = async (folder: string) => {
  const { store } = await openStorage({ DATA_DIR: folder });
  const count = await store.collection({ name: "components", shardKey: "_id", indexes: [] }).count({});
  await store.close();
  return count;
};

async function addFile(folder: string, bytes: Buffer): Promise<void> {
  const { store, blobs } = await openStorage({ DATA_DIR: folder });
  const received = await blobs.receive(Readable.from([bytes]), bytes.length);
  await received.commit();
  await store.close();
}

test("a backup with one flipped byte is refused in one sentence and leaves nothing behind, or restores everything", async () => {
  const parent = ownFolder();
  const { folder } = await aDataFolder(parent);
  // More than one chunk of a stream.
  await addFile(folder, Buffer.from(randomBytes(2_000_000).toString("hex")));
  const file = join(parent, "saved");
  await createBackup(folder, file);
  const whole = readFileSync(file);
  const components = await documentsOf(folder);
  const randomInt = seededDraws("flipped bytes");
  let refused = 0;
  for (let n = 0; n < 40; n += 1) {
    const bytes = Buffer.from(whole);
    const at = randomInt(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8));
    writeFileSync(file, bytes);
    const target = join(parent, `restored-${n}`);
    const outcome = await restoreBackup(target, file, { replace: false }).catch((cause: unknown) => cause);
    if (outcome instanceof Error) {
      refused += 1;
      expect(outcome.message).toContain("nothing was changed");
      expect(outcome.message).not.toContain("\n");
      expect(existsSync(target)).toBe(false);
    } else expect(await documentsOf(target)).toBe(components);
  }
  expect(refused).toBeGreaterThan(30);
  const bytes = Buffer.from(whole);
  bytes[1_000_000] = (bytes[1_000_000] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const { code, output } = await command(["restore", file], join(parent, "new"));
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toHaveLength(1);
});

test("backing up a damaged database is refused", async () => {
  const parent = ownFolder();
  const { folder } = await aDataFolder(parent);
  const path = join(folder, "lamplight.db");
  const db = new DatabaseSync(path);
  const { doc } = db.prepare("SELECT doc FROM changes LIMIT 1").get() as { doc: string };
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  // Changes a byte within a document, not a structure of SQLite. Older copies may be in free pages.
  const bytes = readFileSync(path);
  const start = doc.slice(0, 40);
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) bytes.write("[", at);
  writeFileSync(path, bytes);
  const file = join(parent, "saved");
  const { code, output } = await command(["backup", file], folder);
  expect(code).toBe(1);
  expect(output).toContain("No backup was made");
  expect(output).toContain("npm run rescue");
  expect(output.trim()).not.toContain("\n");
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.startsWith("backup-"))).toEqual([]);
});

test("a damaged file is left out of the backup and listed, and the rest can be restored", async () => {
  const parent = ownFolder();
  const { folder } = await aDataFolder(parent);
  const keys = readdirSync(join(folder, "files"), { recursive: true }).map(String);
  const path = join(folder, "files", keys.find((name) => name.length > 60) ?? "");
  expect(statSync(path).size).toBeGreaterThan(0);
  writeFileSync(path, "other bytes");
  const file = join(parent, "saved");
  const { code, output } = await command(["backup", file], folder);
  expect(code).toBe(0);
  expect(output).toContain("1 files are damaged");
  await restoreBackup(join(parent, "new"), file, { replace: false });
});

test("a damaged database is served read-only, and `npm run rescue` copies what can be read", async () => {
  const parent = ownFolder();
  const { folder, token, pageIds } = await aDataFolder(parent);
  const before = await documentsOf(folder);
  damageTable(folder, "components");

  const api = await startApi({ dataDir: folder });
  const client = api.clientFor(token);
  const shown = await Promise.all(
    pageIds.map((id) =>
      client.pages.getPage({ id }).then(
        () => "shown",
        ({ reason }: Failure) => reason,
      ),
    ),
  );
  expect(new Set(shown)).toEqual(new Set(["shown", "store_damaged"]));
  expect(shown.filter((answer) => answer === "shown").length).toBeGreaterThan(PAGES / 2);
  await expect(client.feedback.sendFeedback(feedback)).rejects.toMatchObject({ status: 503, reason: "store_damaged" });
  const health = await fetch(`${api.origin}/health`);
  expect(health.status).toBe(503);
  for await (const { key } of api.deps.blobs.list())
    await expect(api.deps.blobs.removeStoredBefore(key, Date.now() + 1000)).rejects.toMatchObject({
      reason: "store_damaged",
    });
  expect((await command(["rescue", join(parent, "rescued")], folder)).output).toContain("in use");
  await api.stop();

  const { code, output } = await command(["rescue", join(parent, "rescued")], folder);
  expect(code).toBe(0);
  expect(output).toContain("documents of components");
  const rescued = await startApi({ dataDir: join(parent, "rescued") });
  const there = await documentsOf(join(parent, "rescued"));
  expect(there).toBeGreaterThan(before / 2);
  expect(there).toBeLessThan(before);
  const { lost } = JSON.parse(readFileSync(join(parent, "rescued", "rescue-report.json"), "utf8")) as {
    lost: { collection: string }[];
  };
  expect(lost.filter(({ collection }) => collection === "components")).toHaveLength(before - there);
  expect((await rescued.clientFor(token).pages.getContent({})).content.pages).toHaveLength(PAGES);
  await rescued.clientFor(token).feedback.sendFeedback(feedback);
  expect((await fetch(`${rescued.origin}/health`)).status).toBe(200);
});

test("a rescue writes to a new folder, and loses nothing of an intact one", async () => {
  const parent = ownFolder();
  const { folder } = await aDataFolder(parent);
  await expect(rescueData(folder, folder)).rejects.toThrow("not empty");
  const { documents, lost, files, lostFiles } = await rescueData(folder, join(parent, "rescued"));
  expect(documents["pages"]).toBe(PAGES);
  expect({ lost, lostFiles }).toEqual({ lost: [], lostFiles: [] });
  expect(files).toBeGreaterThan(0);
});

const feedback = {
  feedback: "Hello",
  category: "General Feedback",
  currentRoute: "/home",
  email: "",
  mode: "detailed",
} as const;
