import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ulid } from "ulid";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { v1 } from "#shared/contract/v1.ts";
import { openFolderBlobs } from "#api/blobs/folder-blobs.ts";
import { openStorage } from "#api/open-storage.ts";
import type { CollectionSpec } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { startApi, type TestApi } from "#tests/kit/api.ts";

const MEGABYTE = 1024 * 1024;

/** Mounts a file system of four megabytes, if this machine allows it. */
function mountSmall(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const canMount = (() => {
  const folder = mountSmall();
  if (folder === undefined) return false;
  execFileSync("umount", [folder]);
  return true;
})();

const spec: CollectionSpec<{ _id: string; body: string }> = { name: "notes", shardKey: "_id", indexes: [] };

/** Writes notes until one is refused; resolves to the number of acknowledged notes. */
async function writeUntilFull(folder: string): Promise<{ written: number; failure: unknown }> {
  const store = openSqlite({ folder });
  const notes = store.collection(spec);
  try {
    for (let written = 0; ; written += 1) {
      const body = "x".repeat(20_000);
      const failure = await notes.insert({ _id: `n${written}`, body }).catch((cause: unknown) => cause);
      if (failure !== "inserted") return { written, failure };
    }
  } finally {
    await store.close();
  }
}

const pageOf = (_id: string): object => ({
  id: ulid(),
  clientId: "browser",
  seq: 1,
  createdAt: 1,
  type: "page_create",
  resourceId: _id,
  data: { title: "x".repeat(400), createdAt: 1 },
});

/** Writes until the disk is full, and checks the answer to each refused call. */
async function fillThrough(api: TestApi, disk: string): Promise<void> {
  const { client, token } = await api.newUser();
  const pages = [ulid()];
  await client.sync.sendChanges({ payload: [pageOf(pages[0] ?? "")] });
  expect(() => writeFileSync(join(disk, "ballast"), Buffer.alloc(5 * MEGABYTE))).toThrow("no space");

  const refused: { code: string; message: string }[] = [];
  while (refused.length === 0 && pages.length < 2_000) {
    const id = ulid();
    const { success, failed } = await client.sync.sendChanges({ payload: [pageOf(id)] });
    if (success.length > 0) pages.push(id);
    refused.push(...failed);
  }
  const removal = { ...pageOf(pages[0] ?? ""), type: "page_delete", data: {} };
  refused.push(...(await client.sync.sendChanges({ payload: [removal] })).failed);
  expect(refused).toHaveLength(2);
  for (const { code, message } of refused) {
    expect(code).toBe("storage_full");
    expect(message).not.toContain("Nothing");
  }
  const feedback = await fetch(`${api.origin}${v1.feedback.sendFeedback.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      feedback: "It is full",
      category: "General Feedback",
      currentRoute: "/home",
      email: "",
      mode: "detailed",
    }),
  });
  expect(await feedback.json()).toMatchObject({ code: "storage_full", status: 507 });
  const { content } = await client.pages.getContent({});
  for (const id of pages) expect(content.pages.some((page) => page._id === id)).toBe(true);
}

describe.skipIf(!canMount)("on a full disk", () => {
  let disk: string;
  beforeEach(() => {
    disk = mountSmall() ?? "";
  });
  afterEach(() => {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  });

  test("a write fails with its own error, and acknowledged data stays", async () => {
    const folder = join(disk, "data");
    mkdirSync(folder);
    writeFileSync(join(disk, "ballast"), Buffer.alloc(2 * MEGABYTE));
    const { written, failure } = await writeUntilFull(folder);
    expect(failure).toMatchObject({ code: "storage_full" });
    expect(written).toBeGreaterThan(5);

    rmSync(join(disk, "ballast"));
    const { store } = await openStorage({ DATA_DIR: folder });
    const notes = store.collection(spec);
    expect(await notes.count({})).toBe(written);
    expect(await notes.insert({ _id: "again", body: "there is space" })).toBe("inserted");
    await store.close();
  });

  test("the first document of a collection fails too, and health reports it until there is space", async () => {
    const folder = join(disk, "data");
    const store = openSqlite({ folder });
    const firstUse = store.collection({ name: "others", shardKey: "_id", indexes: [{ fields: ["body"] }] });
    await store.collection(spec).insert({ _id: "n1", body: "kept" });
    expect(() => writeFileSync(join(disk, "ballast"), Buffer.alloc(5 * MEGABYTE))).toThrow("no space");
    try {
      expect(await firstUse.find({})).toEqual([]);
      await expect(firstUse.insert({ _id: "o1" })).rejects.toMatchObject({ code: "storage_full" });
      await expect(store.checkHealth()).rejects.toMatchObject({ code: "storage_full" });
      expect(await store.collection(spec).get("n1")).toEqual({ _id: "n1", body: "kept" });
      rmSync(join(disk, "ballast"));
      await store.checkHealth();
      expect(await firstUse.insert({ _id: "o1" })).toBe("inserted");
    } finally {
      await store.close();
    }
  });

  test("every call that finds no space returns 507, including the first write of a kind", async () => {
    const api = await startApi({ dataDir: join(disk, "data"), realClock: true });
    try {
      await fillThrough(api, disk);
    } finally {
      await api.stop();
    }
  });

  test("the server refuses to start with one line and damages nothing", async () => {
    const folder = join(disk, "data");
    const first = await openStorage({ DATA_DIR: folder });
    await first.store.collection(spec).insert({ _id: "n1", body: "kept" });
    await first.store.close();
    expect(() => writeFileSync(join(disk, "ballast"), Buffer.alloc(5 * MEGABYTE))).toThrow("no space");
    await expect(openStorage({ DATA_DIR: folder })).rejects.toThrow("has no space left");

    rmSync(join(disk, "ballast"));
    const { store } = await openStorage({ DATA_DIR: folder });
    expect(await store.collection(spec).get("n1")).toEqual({ _id: "n1", body: "kept" });
    await store.close();
  });

  test("a file that doesn't fit leaves nothing behind", async () => {
    const blobs = await openFolderBlobs(join(disk, "files"));
    const before = await blobs.freeBytes();
    const tooMuch = (async function* () {
      for (let n = 0; n < 80; n += 1) yield Buffer.alloc(100_000, n);
    })();
    await expect(blobs.receive(tooMuch, 100 * MEGABYTE)).rejects.toThrow("no space");
    expect(await blobs.freeBytes()).toBe(before);
  });
});
