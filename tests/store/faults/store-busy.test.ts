import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { ulid } from "ulid";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import type { CollectionSpec } from "#api/store/port.ts";
import { startApi } from "#tests/kit/api.ts";
import { ownFolder } from "../own-folder.ts";

/** Another process that holds the write lock, as a backup tool or a stopped second server would. */
function holdLock(folder: string): () => void {
  const other = new DatabaseSync(join(folder, "lamplight.db"), { timeout: 5_000 });
  other.exec("BEGIN IMMEDIATE");
  const release = () => {
    if (other.isOpen) other.close();
  };
  onTestFinished(release);
  return release;
}

/** Runs work; resolves to the longest time that the event loop was blocked. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, performance.now()];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 10);
  await work();
  clearInterval(timer);
  return longest;
}

const newPage = () => ({
  id: ulid(),
  clientId: "browser",
  seq: 1,
  createdAt: 1,
  type: "page_create",
  resourceId: ulid(),
  data: { title: "Genes", createdAt: 1 },
});

test("while another process holds the lock, writes return 503 within two seconds and reads continue", async () => {
  const api = await startApi({ realClock: true });
  const { client, token } = await api.newUser();
  const send = (payload: unknown[]) =>
    fetch(`${api.origin}/v1/sync`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ payload }),
    });
  expect((await send([newPage()])).status).toBe(200);
  expect((await fetch(`${api.origin}/health`)).status).toBe(200);

  const release = holdLock(api.dataDir);
  const lost = Array.from({ length: 20 }, newPage);
  const blocked = await longestBlock(async () => {
    const startedAt = performance.now();
    const [answer, health, readMs] = await Promise.all([
      send(lost),
      fetch(`${api.origin}/health`),
      (async () => {
        for (let n = 0; n < 10; n += 1) expect((await client.pages.getContent({})).content.pages).toHaveLength(1);
        return performance.now() - startedAt;
      })(),
    ]);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ code: "store_unavailable", reason: "store_unavailable" });
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({ status: "failing", store: "failing" });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(readMs).toBeLessThan(1_000);
  });
  expect(blocked).toBeLessThan(500);

  release();
  expect((await send(lost)).status).toBe(200);
  expect((await client.pages.getContent({})).content.pages).toHaveLength(21);
  const healthy = await fetch(`${api.origin}/health`);
  expect(healthy.status).toBe(200);
  expect(await healthy.json()).toMatchObject({ store: "ok" });
});

test("a brief lock only delays requests, including the first use of a collection", async () => {
  const folder = ownFolder();
  const store = openSqlite({ folder });
  const notes: CollectionSpec<{ _id: string }> = { name: "notes", shardKey: "_id", indexes: [] };
  const others: CollectionSpec<{ _id: string; n?: number }> = {
    name: "others",
    shardKey: "_id",
    indexes: [{ fields: ["n"] }],
  };
  await store.collection(notes).insert({ _id: "n1" });
  const release = holdLock(folder);
  const writes = [
    store.collection(notes).insert({ _id: "n2" }),
    store.collection(others).insert({ _id: "o1" }),
    store.collection(others).patchOrInsert({ _id: "o2" }, { increment: { n: 1 } }),
  ];
  expect(await store.collection(notes).count({})).toBe(1);
  expect(await store.collection(others).find({})).toEqual([]);
  await pause(300);
  release();
  expect(await Promise.all(writes)).toEqual(["inserted", "inserted", { _id: "o2", n: 1 }]);
  expect(await store.collection(others).find({ n: 1 })).toEqual([{ _id: "o2", n: 1 }]);
  await store.close();
});
