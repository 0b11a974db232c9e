import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { BlobTooLargeError, type Blobs } from "#api/blobs/port.ts";
import { noise } from "#tests/kit/random.ts";

const MEGABYTE = 1024 * 1024;

async function* inChunks(bytes: Uint8Array, size = 65_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* breakingOff() {
  yield Buffer.from("half");
  throw new Error("the line was cut");
}

async function read(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** What every file store must do. */
export function blobsSuite(open: () => Blobs): void {
  const store = async (bytes: Uint8Array) => {
    const blob = await open().receive(inChunks(bytes), 10 * MEGABYTE);
    await blob.commit();
    await blob.discard();
    return blob.key;
  };

  test("a file is found by the hash of its bytes, in full and in ranges", async () => {
    const bytes = noise(MEGABYTE, 1);
    const key = await store(bytes);
    expect(key).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(await open().size(key)).toBe(MEGABYTE);
    expect((await read(await open().open(key))).equals(bytes)).toBe(true);
    for (const [start, end] of [
      [0, 0],
      [10, 19],
      [300_000, 900_000],
      [MEGABYTE - 1, MEGABYTE - 1],
    ] as const)
      expect((await read(await open().open(key, { start, end }))).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  test("a received file can be read before and after it is committed", async () => {
    const bytes = noise(9_000, 2);
    const blob = await open().receive(inChunks(bytes), MEGABYTE);
    expect(blob.sizeBytes).toBe(9_000);
    expect(Buffer.from(blob.head).equals(bytes.subarray(0, 4_100))).toBe(true);
    expect(await open().size(blob.key)).toBeUndefined();
    expect((await readFile(await blob.path())).equals(bytes)).toBe(true);
    await blob.commit();
    expect((await read(blob.open())).equals(bytes)).toBe(true);
    expect((await readFile(await blob.path())).equals(bytes)).toBe(true);
    await blob.discard();
    expect(await open().size(blob.key)).toBe(9_000);
  });

  test("a discarded file leaves nothing behind", async () => {
    const blob = await open().receive(inChunks(noise(5_000, 3)), MEGABYTE);
    const path = await blob.path();
    await blob.discard();
    expect(await isThere(path)).toBe(false);
    expect(await open().size(blob.key)).toBeUndefined();
  });

  test("a file that is too large or truncated is refused", async () => {
    await expect(open().receive(inChunks(noise(5_000, 4), 500), 4_999)).rejects.toThrow(BlobTooLargeError);
    expect((await open().receive(inChunks(noise(5_000, 5), 500), 5_000)).sizeBytes).toBe(5_000);
    await expect(open().receive(breakingOff(), 5_000)).rejects.toThrow("the line was cut");
  });

  test("identical bytes are stored once, even when written concurrently", async () => {
    const bytes = noise(700_000, 6);
    const keys = await Promise.all([store(bytes), store(bytes), store(bytes)]);
    expect(new Set(keys).size).toBe(1);
    expect((await read(await open().open(keys[0]))).equals(bytes)).toBe(true);
    await open().remove(keys[0]);
    expect(await open().size(keys[0])).toBeUndefined();
    await open().remove(keys[0]);
    const lost = { code: "not_found", reason: "file_lost" };
    await expect(open().open(keys[0])).rejects.toMatchObject(lost);
    await expect(open().localPath(keys[0])).rejects.toMatchObject(lost);
  });

  test("an empty file can be stored", async () => {
    const key = await store(new Uint8Array(0));
    expect(await open().size(key)).toBe(0);
    expect(await read(await open().open(key))).toHaveLength(0);
  });

  test("a local path is available for a parser in another process", async () => {
    const bytes = noise(300_000, 7);
    const local = await open().localPath(await store(bytes));
    expect((await readFile(local.path)).equals(bytes)).toBe(true);
    await local.release();
    await open().checkHealth();
  });

  test("all files are listed, and those not written again since can be removed", async () => {
    const [old, renewed] = [noise(100, 8), noise(100, 9)];
    const keys = [await store(old), await store(renewed)];
    const listed = new Map<string, number>();
    for await (const { key, storedAt } of open().list()) listed.set(key, storedAt);
    const [storedAt = 0] = keys.map((key) => listed.get(key));
    expect(Math.abs(storedAt - Date.now())).toBeLessThan(60_000);
    await pause(5);
    const between = Date.now();
    await pause(5);
    await store(renewed);
    expect(await Promise.all(keys.map((key) => open().removeStoredBefore(key, between)))).toEqual([true, false]);
    expect(await Promise.all(keys.map((key) => open().size(key)))).toEqual([undefined, 100]);
    expect(await open().removeStoredBefore(keys[0] ?? "", between)).toBe(false);
    await store(old);
    expect((await read(await open().open(keys[0] ?? ""))).equals(old)).toBe(true);
  });

  test("a file written again during its removal is still there afterwards", async () => {
    const bytes = noise(2_000, 10);
    for (let i = 0; i < 20; i += 1) {
      const key = await store(bytes);
      await pause(2);
      const before = Date.now();
      const [, stored] = await Promise.all([open().removeStoredBefore(key, before), store(bytes)]);
      expect(await open().size(stored)).toBe(2_000);
    }
  });
}
