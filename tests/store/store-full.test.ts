import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFolderBlobs } from "#api/blobs/folder-blobs.ts";
import { openStorage } from "#api/open-storage.ts";
import type { CollectionSpec } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";

const MEGABYTE = 1024 * 1024;

/** A file system of four megabytes, where this machine lets us make one. */
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

/** Resolves to how many notes were acknowledged before one was refused. */
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

describe.skipIf(!canMount)("on a disk that is full", () => {
  let disk: string;
  beforeEach(() => {
    disk = mountSmall() ?? "";
  });
  afterEach(() => {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  });

  test("a write that finds no space is refused as such, and what was acknowledged stays", async () => {
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

  test("the start is refused with one line, and nothing is damaged", async () => {
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

  test("a file that does not fit leaves nothing behind", async () => {
    const blobs = await openFolderBlobs(join(disk, "files"));
    const before = await blobs.freeBytes();
    const tooMuch = (async function* () {
      for (let n = 0; n < 80; n += 1) yield Buffer.alloc(100_000, n);
    })();
    await expect(blobs.receive(tooMuch, 100 * MEGABYTE)).rejects.toThrow("no space");
    expect(await blobs.freeBytes()).toBe(before);
  });
});
