import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openFolderBlobs } from "#api/blobs/folder-blobs.ts";
import type { Blobs } from "#api/blobs/port.ts";
import { blobsSuite } from "./blobs-suite.ts";

describe("files in a folder", () => {
  let folder: string;
  let blobs: Blobs;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "blobs-"));
    blobs = await openFolderBlobs(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  blobsSuite(() => blobs);

  test("partial files left by a killed process are removed a day later", async () => {
    const old = join(folder, "incoming", "left");
    writeFileSync(old, "half");
    writeFileSync(join(folder, "incoming", "live"), "half");
    utimesSync(old, 1, 1);
    await openFolderBlobs(folder);
    expect(await readdir(join(folder, "incoming"))).toContain("live");
    expect(await readdir(join(folder, "incoming"))).not.toContain("left");
  });

  test("only a hash is accepted as a file's name", async () => {
    await expect(blobs.open("../../../etc/passwd")).rejects.toThrow("key");
    expect(await blobs.freeBytes()).toBeGreaterThan(0);
  });
});
