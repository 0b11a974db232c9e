import { execFile } from "node:child_process";
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { packTar, unpackTar } from "modern-tar/fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBackup } from "#api/store/create-backup.ts";
import { openStorage, type Storage } from "#api/open-storage.ts";
import type { CollectionSpec } from "#api/store/port.ts";
import { restoreBackup } from "#api/store/restore-backup.ts";

interface Page {
  _id: string;
  file: string;
}
const spec: CollectionSpec<Page> = { name: "pages", shardKey: "_id", indexes: [] };

let parent: string;
let file: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "backup-"));
  file = join(parent, "saved.tar.gz");
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const folder = (name: string) => join(parent, name);

/** Runs the command as `npm run` does; resolves to its exit code and its output. */
function command(args: readonly string[], dataDir: string): Promise<{ code: number; output: string }> {
  const flags = ["--disable-warning=ExperimentalWarning", "scripts/data-command.ts", ...args];
  const env = { ...process.env, DATA_DIR: folder(dataDir), MONGODB_URI: "" };
  return new Promise((resolve) => {
    execFile(process.execPath, flags, { env }, (failure, out, err) => {
      resolve({ code: failure ? Number(failure.code) : 0, output: out + err });
    });
  });
}

/** Adds a file and then a page that refers to it. */
async function addPage({ store, blobs }: Storage, n: number): Promise<void> {
  const blob = await blobs.receive(
    (async function* () {
      yield Buffer.from(`file ${n}`);
    })(),
    1000,
  );
  await blob.commit();
  await store.collection(spec).insert({ _id: `p${n}`, file: blob.key });
}

async function aFolder(name: string, pages: number): Promise<void> {
  const storage = await openStorage({ DATA_DIR: folder(name) });
  for (let n = 0; n < pages; n += 1) await addPage(storage, n);
  await storage.store.close();
}

async function pagesIn(dataDir: string): Promise<number> {
  const { store } = await openStorage({ DATA_DIR: dataDir });
  try {
    return await store.collection(spec).count({});
  } finally {
    await store.close();
  }
}

test("a backup made while the server writes contains all acknowledged data and every file of its pages", async () => {
  const storage = await openStorage({ DATA_DIR: folder("data") });
  for (let n = 0; n < 50; n += 1) await addPage(storage, n);
  const saving = new AbortController();
  const saved = command(["backup", file], "data").finally(() => saving.abort());
  let written = 50;
  for (; !saving.signal.aborted; written += 1) await addPage(storage, written);
  expect(await saved).toMatchObject({ code: 0 });
  await storage.store.close();
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readdirSync(folder("data")).filter((name) => name.startsWith("backup-"))).toEqual([]);

  expect(await command(["restore", file], "restored")).toMatchObject({ code: 0 });
  const restored = await openStorage({ DATA_DIR: folder("restored") });
  const pages = await restored.store.collection(spec).find({});
  expect(pages.length).toBeGreaterThanOrEqual(50);
  expect(pages.length).toBeLessThan(written);
  for (let n = 0; n < 50; n += 1) expect(pages.some((page) => page._id === `p${n}`)).toBe(true);
  for (const page of pages) expect(await restored.blobs.size(page.file)).toBeGreaterThan(0);
  await restored.store.close();
});

test("a restore refuses a folder with data, and can move it aside", async () => {
  await aFolder("data", 3);
  await aFolder("other", 1);
  await createBackup(folder("data"), file);
  await expect(restoreBackup(folder("other"), file, { replace: false })).rejects.toThrow("--replace");

  const { previousDataFolder: aside = "" } = await restoreBackup(folder("other"), file, { replace: true });
  expect(await pagesIn(folder("other"))).toBe(3);
  expect(await pagesIn(aside)).toBe(1);
});

test("a restore refuses a folder in use by a server", async () => {
  await aFolder("data", 1);
  await createBackup(folder("data"), file);
  const running = await openStorage({ DATA_DIR: folder("data") });
  await expect(restoreBackup(folder("data"), file, { replace: true })).rejects.toThrow("is in use");
  await running.store.close();
});

/** A repacked backup in which one letter of a document differs, which only the checksum reveals. */
async function repackWithChangedText(): Promise<Buffer> {
  const unpacked = folder("unpacked");
  await pipeline(createReadStream(file), createGunzip(), unpackTar(unpacked));
  const database = join(unpacked, "lamplight.db");
  const bytes = readFileSync(database);
  const at = bytes.lastIndexOf('"file":"');
  expect(at).toBeGreaterThan(0);
  bytes[at + 1] = "F".charCodeAt(0);
  writeFileSync(database, bytes);
  return buffer(packTar(unpacked).pipe(createGzip()));
}

test("incomplete, damaged and foreign backups are refused, and nothing is changed", async () => {
  await aFolder("data", 20);
  await createBackup(folder("data"), file);
  const whole = readFileSync(file);
  const middle = Math.floor(whole.length / 2);
  const spoilt = [
    whole.subarray(0, middle),
    Buffer.concat([whole.subarray(0, middle), Buffer.alloc(50), whole.subarray(middle + 50)]),
    Buffer.from("a letter"),
    await repackWithChangedText(),
  ];
  for (const bytes of spoilt) {
    writeFileSync(file, bytes);
    await expect(restoreBackup(folder("new"), file, { replace: false })).rejects.toThrow("nothing was changed");
    expect(existsSync(join(folder("new"), "lamplight.db"))).toBe(false);
  }
});

test("a backup overwrites no file, and each error is one line", async () => {
  await aFolder("data", 1);
  writeFileSync(file, "mine");
  const refused = await command(["backup", file], "data");
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("already") });
  expect(refused.output.trim()).not.toContain("\n");
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(await command(["backup"], "data")).toMatchObject({ code: 1, output: expect.stringContaining("Example:") });
  await expect(createBackup(folder("empty"), `${file}2`)).rejects.toThrow("no data");
});
