import { expect, test } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { type DiskState, overflowStorage } from "#shared/sync/storage/overflow-storage.ts";
import { createSyncQueue } from "#shared/sync/queue.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { memoryStorage, type SyncStorage } from "#shared/sync/store.ts";

/** A disk that behaves like IndexedDB while it is full: a transaction can read, and fails when it commits a write. */
function aDisk() {
  const memory = memoryStorage("laptop");
  const world = { isFull: false, isReached: true };
  const disk: SyncStorage = {
    ...memory,
    async transact(scope, work) {
      if (!world.isFull) return memory.transact(scope, work);
      const stored = await memory.list(scope.accountId);
      let seq = stored.at(-1)?.request.seq ?? 0;
      const change = work(stored, () => ({ clientId: "laptop", seq: (seq += 1) }));
      if (change.put.length === 0 && change.remove.length === 0) return change.result;
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    },
  };
  return { memory, disk, world };
}

async function aTab() {
  const { memory, disk, world } = aDisk();
  const diskStates: DiskState[] = [];
  const sent: SyncRequest[] = [];
  const queue = createSyncQueue({
    accountId: "ann",
    storage: overflowStorage({ disk, onDiskState: (state) => diskStates.push(state), newClientId: () => "tab" }),
    send: async (batches) => {
      if (!world.isReached) throw new NoResponseError("network");
      const requests = batches.flatMap((batch) => batch.requests);
      sent.push(...requests);
      return { success: requests.map(({ id }) => id), num_failed: 0, failed: [], parcels: [], versions: [] };
    },
    clock: { now: () => 1 },
    schedule: () => () => undefined,
    random: () => 0.5,
    lock: (_name, work) => work(),
    online: () => true,
  });
  await queue.start();
  const rename = (id: string) => queue.enqueue("page_update", id, { title: id });
  return { queue, memory, world, diskStates, sent, rename };
}

const idsOf = (requests: readonly { resourceId: string }[]) => requests.map(({ resourceId }) => resourceId);

test("a change made while the disk is full is reported, held in memory and sent", async () => {
  const { queue, world, diskStates, sent, rename } = await aTab();
  world.isFull = true;
  await rename("cells");
  expect(diskStates).toEqual(["full"]);
  expect(idsOf(queue.unsaved())).toEqual(["cells"]);
  await queue.flush();
  expect(idsOf(sent)).toEqual(["cells"]);
  expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
});

test("offline changes wait in memory behind those on disk, and are written once there is space", async () => {
  const { queue, memory, world, diskStates, sent, rename } = await aTab();
  world.isReached = false;
  await rename("first");
  world.isFull = true;
  await rename("second");
  await rename("third");
  expect(idsOf(queue.unsaved())).toEqual(["first", "second", "third"]);
  expect((await memory.list("ann")).map(({ request }) => request.resourceId)).toEqual(["first"]);
  world.isFull = false;
  await rename("fourth");
  expect(diskStates).toEqual(["full", "ok"]);
  const stored = (await memory.list("ann")).map(({ request }) => request);
  expect(idsOf(stored)).toEqual(["first", "second", "third", "fourth"]);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map(({ seq }) => seq).toSorted((a, b) => a - b));
  world.isReached = true;
  await queue.flush();
  expect(idsOf(sent)).toEqual(["first", "second", "third", "fourth"]);
  expect(queue.unsaved()).toEqual([]);
});

test("acknowledged changes are removed from the disk as soon as it can be written", async () => {
  const { queue, memory, world, rename } = await aTab();
  world.isReached = false;
  await rename("first");
  world.isFull = true;
  world.isReached = true;
  await queue.flush();
  expect(queue.unsaved()).toEqual([]);
  expect(await memory.list("ann")).toHaveLength(1);
  world.isFull = false;
  await queue.flush();
  expect(await memory.list("ann")).toEqual([]);
});

const broken = () => Promise.reject(new DOMException("The database is closed.", "InvalidStateError"));

test("other storage errors reject the change instead of holding it", async () => {
  const memory = memoryStorage("laptop");
  const storage = overflowStorage({
    disk: { ...memory, transact: broken },
    onDiskState: () => {},
    newClientId: () => "tab",
  });
  await expect(storage.transact({ accountId: "ann" }, () => ({ put: [], remove: [], result: 1 }))).rejects.toThrow(
    "closed",
  );
});

test("signing out for good removes an account's changes held in memory", async () => {
  const { queue, world, diskStates, rename } = await aTab();
  world.isFull = true;
  world.isReached = false;
  await rename("cells");
  await queue.wipe();
  expect([queue.unsaved(), diskStates]).toEqual([[], ["full", "ok"]]);
});
