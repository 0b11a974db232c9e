import { mkdtempSync, renameSync, rmSync } from "node:fs";
import type * as files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { openFolderBlobs } from "#api/blobs/folder-blobs.ts";

const hooks = vi.hoisted(() => ({ afterStat: undefined as (() => Promise<void>) | undefined }));

vi.mock("node:fs/promises", async (importActual) => {
  const actual = await importActual<typeof files>();
  const stat = async (path: string) => {
    const info = await actual.stat(path);
    const run = hooks.afterStat;
    hooks.afterStat = undefined;
    await run?.();
    return info;
  };
  return { ...actual, stat };
});

test("a file that one process stores again while another is about to remove it stays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "blobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [storing, sweeping] = [await openFolderBlobs(folder), await openFolderBlobs(folder)];
  const receive = () => storing.receive(Readable.from([Buffer.alloc(500, 7)]), 1_000);
  const [old, renewed] = [await receive(), await receive()];
  await old.commit();
  await pause(2);
  const before = Date.now();
  await pause(2);
  hooks.afterStat = () => renewed.commit();
  expect(await sweeping.removeStoredBefore(old.key, before)).toBe(false);
  expect(await storing.size(old.key)).toBe(500);
});

test("a file that two processes want to remove at the same moment is removed once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "blobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, two] = [await openFolderBlobs(folder), await openFolderBlobs(folder)];
  const old = await one.receive(Readable.from([Buffer.alloc(500, 7)]), 1_000);
  await old.commit();
  const before = Date.now() + 1_000;
  let removedByTwo: boolean | undefined;
  hooks.afterStat = async () => {
    removedByTwo = await two.removeStoredBefore(old.key, before);
  };
  expect(await one.removeStoredBefore(old.key, before)).toBe(false);
  expect(removedByTwo).toBe(true);
  expect(await one.size(old.key)).toBeUndefined();
});

test("a file that was being removed when its process was killed is restored at the next start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "blobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const blobs = await openFolderBlobs(folder);
  const stored = await blobs.receive(Readable.from([Buffer.alloc(500, 7)]), 1_000);
  await stored.commit();
  renameSync(join(folder, stored.key.slice(0, 2), stored.key), join(folder, "incoming", `taken-${stored.key}`));
  expect(await blobs.size(stored.key)).toBeUndefined();
  expect(await (await openFolderBlobs(folder)).size(stored.key)).toBe(500);
});
