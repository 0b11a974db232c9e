// Provides IndexedDB, which Node lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { SyncRequest } from "#shared/sync/schema.ts";
import type { DiskState } from "#shared/sync/storage/overflow-storage.ts";

// Each test opens its own connection to the database.
beforeEach(() => vi.resetModules());

const newClientId = () => "tab";

async function aTab(accountId: string) {
  const { diskStorage, isDiskDenied } = await import("#shared/sync/storage/local-store.ts");
  const { diskOrMemory } = await import("#shared/sync/storage/fallback-storage.ts");
  const { overflowStorage } = await import("#shared/sync/storage/overflow-storage.ts");
  const { createSyncQueue } = await import("#shared/sync/queue.ts");
  const states: (DiskState | "denied")[] = [];
  const sent: SyncRequest[] = [];
  const server = { isReached: true };
  const queue = createSyncQueue({
    accountId,
    storage: diskOrMemory({
      disk: overflowStorage({ disk: diskStorage, onDiskState: (state) => states.push(state), newClientId }),
      isDenied: isDiskDenied,
      onDenied: () => states.push("denied"),
      newClientId,
    }),
    send: async (batches) => {
      if (!server.isReached) throw new TypeError("fetch failed");
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
  const rename = (id: string) => queue.enqueue("page_update", id, { title: id });
  return { queue, states, sent, server, rename, diskStorage };
}

const openRaw = () =>
  new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open("lamplight");
    request.addEventListener("success", () => resolve(request.result));
  });

const idsOf = (requests: readonly { resourceId: string }[]) => requests.map(({ resourceId }) => resourceId);

/** A request that never gets an event. */
const unanswered = () => {
  const request = Object.create(IDBOpenDBRequest.prototype) as IDBOpenDBRequest;
  return Object.assign(request, { addEventListener: () => {} });
};

test.each([
  ["never opens", unanswered],
  ["isn't a database", () => new EventTarget() as IDBOpenDBRequest],
])("a database that %s is reported within two seconds, and changes go to the server", async (_how, open) => {
  const silent = vi.spyOn(IDBFactory.prototype, "open").mockImplementation(open);
  onTestFinished(() => silent.mockRestore());
  const { queue, states, sent, rename } = await aTab("ann");
  const begun = Date.now();
  void queue.start();
  await rename("cells");
  expect(Date.now() - begun).toBeLessThan(3500);
  expect(states).toEqual(["silent"]);
  // Later changes do not wait again.
  const next = Date.now();
  await rename("genes");
  await queue.flush();
  expect(Date.now() - next).toBeLessThan(500);
  expect([idsOf(sent), queue.unsaved()]).toEqual([["cells", "genes"], []]);
});

test("a database that opens late receives the held changes in order", async () => {
  // A deletion that another tab blocks delays every later attempt to open the database.
  const otherTab = await openRaw();
  indexedDB.deleteDatabase("lamplight");
  const { queue, states, rename, server, diskStorage } = await aTab("bea");
  server.isReached = false;
  await rename("cells");
  expect(states).toEqual(["silent"]);
  otherTab.close();
  await expect
    .poll(async () => {
      await rename("genes");
      return states;
    })
    .toEqual(["silent", "ok"]);
  expect(idsOf((await diskStorage.list("bea")).map(({ request }) => request))).toEqual(["cells", "genes"]);
  expect(idsOf(queue.unsaved())).toEqual(["cells", "genes"]);
});

test("a hanging transaction times out and has no effect later", async () => {
  const { queue, states, sent, rename, diskStorage } = await aTab("cy");
  await rename("first");
  // Another tab's transaction holds the store.
  const holding = (await openRaw()).transaction("requests", "readwrite");
  let isDelayed = true;
  const hold = () => {
    if (isDelayed) holding.objectStore("requests").count().addEventListener("success", hold);
  };
  hold();
  await rename("second");
  expect(states).toEqual(["silent"]);
  expect(idsOf(queue.unsaved())).toEqual(["first", "second"]);
  await queue.flush();
  expect(idsOf(sent)).toEqual(["first", "second"]);
  isDelayed = false;
  await expect
    .poll(async () => {
      await rename("third");
      return states;
    })
    .toEqual(["silent", "ok"]);
  // The changes that the server acknowledged meanwhile are no longer on disk.
  expect(idsOf((await diskStorage.list("cy")).map(({ request }) => request))).toEqual(["third"]);
});
