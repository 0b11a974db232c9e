import { expect, test } from "vitest";
import { t } from "#shared/messages/translate.ts";
import type { Folder } from "#shared/library/schema.ts";
import type { ResourceGroup } from "#shared/sync/batching.ts";
import { applyToFolders } from "#shared/sync/folders-overlay.ts";
import { createSyncQueue, type SyncQueueDeps } from "#shared/sync/queue.ts";
import type { SyncAnswer, SyncRequest } from "#shared/sync/schema.ts";
import { memoryStorage, type SyncStorage } from "#shared/sync/store.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { fakeTimers } from "./fake-timers.ts";

const answer = (requests: SyncRequest[], more: Partial<SyncAnswer> = {}): SyncAnswer => ({
  success: requests.map((r) => r.id),
  num_failed: 0,
  failed: [],
  parcels: [],
  versions: requests.flatMap((r) =>
    r.type === "component_create" || r.type === "component_content_update"
      ? [{ requestId: r.id, componentId: r.resourceId, version: (r.baseVersion ?? 0) + 1, conflict: false }]
      : [],
  ),
  ...more,
});

const requestsOf = (batches: ResourceGroup[]) => batches.flatMap((b) => b.requests);

async function aQueue(more: Partial<SyncQueueDeps> = {}) {
  const timers = fakeTimers();
  const calls: ResourceGroup[][] = [];
  const notices: string[] = [];
  const server = { reply: (requests: SyncRequest[]): SyncAnswer => answer(requests), isOnline: true };
  const queue = createSyncQueue({
    accountId: "ann",
    storage: memoryStorage("laptop"),
    send: async (batches) => {
      calls.push(batches);
      return server.reply(requestsOf(batches));
    },
    clock: timers.clock,
    schedule: timers.schedule,
    random: () => 0.5,
    lock: (_name, work) => work(),
    online: () => server.isOnline,
    onParked: () => notices.push(t("failures.sync_failed")),
    ...more,
  });
  await queue.start();
  return { queue, timers, calls, notices, server };
}

const textOf = (text: string) => ({
  newContent: { text: [{ content: text }], subType: "normal", metadata: { indents: 0, highlightColor: null } },
});
const unreachable = () => {
  throw new TypeError("fetch failed");
};
const refusing = (bad: (r: SyncRequest) => boolean) => (requests: SyncRequest[]) => {
  const failed = requests.filter(bad).map(({ id }) => ({ id, code: "not_found", message: "", retriable: false }));
  return answer(
    requests.filter((r) => !bad(r)),
    { num_failed: failed.length, failed },
  );
};

test("a change is sent after 600 ms and removed once acknowledged", async () => {
  const { queue, timers, calls } = await aQueue();
  await queue.enqueue("page_create", "page1", { title: "Cells", createdAt: 1 });
  expect(queue.status()).toMatchObject({ state: "saving", unsaved: 1 });
  await timers.advance(599);
  expect(calls).toHaveLength(0);
  await timers.advance(1);
  expect(calls).toHaveLength(1);
  expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
});

test("with more than ten changes queued, sending starts after 300 ms", async () => {
  const { queue, timers, calls } = await aQueue();
  for (let i = 0; i < 11; i += 1) await queue.enqueue("page_create", `page${i}`, { createdAt: 1 });
  await timers.advance(299);
  expect(calls).toHaveLength(0);
  await timers.advance(1);
  expect(calls.flatMap(requestsOf)).toHaveLength(11);
});

test("batches are grouped by resource and ordered", async () => {
  const { queue, calls } = await aQueue();
  await queue.enqueue("page_create", "page1", { createdAt: 1 });
  await queue.enqueue("page_create", "page2", { createdAt: 1 });
  await queue.enqueue("page_component_sort", "page1", { componentIds: [] });
  await queue.flush();
  expect(calls[0]?.map((b) => [b.resourceId, b.requests.map((r) => r.type)])).toEqual([
    ["page1", ["page_create", "page_component_sort"]],
    ["page2", ["page_create"]],
  ]);
});

test("a call is limited by the bytes that are sent, of which a Chinese character takes three", async () => {
  const { queue, calls } = await aQueue();
  const { newContent } = textOf("");
  const text = Array.from({ length: 60 }, () => ({ content: "書".repeat(25_000) }));
  for (const id of ["c1", "c2", "c3"])
    await queue.enqueue("component_content_update", id, { newContent: { ...newContent, text } }, { baseVersion: 1 });
  await queue.flush();
  expect(calls.map((call) => call.map(({ resourceId }) => resourceId))).toEqual([["c1"], ["c2"], ["c3"]]);
});

test("only a component's latest content update is kept", async () => {
  const { queue, calls } = await aQueue();
  for (const word of ["a", "ab", "abc"])
    await queue.enqueue("component_content_update", "c1", textOf(word), { baseVersion: 4 });
  expect(queue.pendingFor("c1")).toHaveLength(1);
  await queue.flush();
  expect(calls.flatMap(requestsOf)).toMatchObject([{ baseVersion: 4, data: textOf("abc") }]);
});

test("changes made together are written to disk at once, and each promise resolves then", async () => {
  const disk = memoryStorage("laptop");
  let transactions = 0;
  const transact: SyncStorage["transact"] = (scope, work) => {
    transactions += 1;
    return disk.transact(scope, work);
  };
  const { queue } = await aQueue({ storage: { ...disk, transact } });
  transactions = 0;
  const pasted = Array.from({ length: 300 }, (_, i) => queue.enqueue("page_create", `page${i}`, { createdAt: 1 }));
  const updates = ["a", "ab"].map((word) => queue.enqueue("component_content_update", "c1", textOf(word)));
  const stored = await Promise.all([...pasted, ...updates]);
  expect(transactions).toBe(1);
  expect(stored.map((r) => r.seq)).toEqual(Array.from({ length: 302 }, (_, i) => i + 1));
  expect((await disk.list("ann")).map((i) => i.request.seq)).toEqual(
    stored.map((r) => r.seq).filter((seq) => seq !== 301),
  );
});

test("content updates are dropped if the component is being deleted", async () => {
  const { queue } = await aQueue();
  await queue.enqueue("component_content_update", "c1", textOf("a"), { baseVersion: 1 });
  await queue.enqueue("component_delete", "c1", {});
  await queue.enqueue("component_content_update", "c1", textOf("b"), { baseVersion: 1 });
  expect(queue.unsaved().map((r) => r.type)).toEqual(["component_delete"]);
});

const anItem = (id: string) => ({ item_id: id, item_type: "page" as const, created_at: 1 });
const aFolder = (...ids: string[]): Folder => ({
  _id: "bio",
  title: "Biology",
  user_id: "ann",
  color: "BLUE",
  created_at: 1,
  updated_at: 1,
  items: ids.map(anItem),
  is_archived: false,
  archived_at: null,
  is_expanded: true,
});

test.each([
  {
    name: "removing items one after the other",
    before: aFolder("cells", "genes", "leaves"),
    changes: [{ removedItemIds: ["cells"] }, { removedItemIds: ["genes"] }],
    after: ["leaves"],
  },
  {
    name: "adding items one after the other",
    before: aFolder(),
    changes: [{ items: [anItem("cells")] }, { items: [anItem("genes")] }],
    after: ["cells", "genes"],
  },
  {
    name: "removing an item and putting it back",
    before: aFolder("cells", "genes"),
    changes: [{ removedItemIds: ["cells"] }, { items: [anItem("genes"), anItem("cells")] }, { title: "Cells" }],
    after: ["genes", "cells"],
  },
])("$name changes all of them in the folder, before anything is sent", async ({ before, changes, after }) => {
  const { queue } = await aQueue();
  for (const change of changes) await queue.enqueue("folder_update", "bio", change);
  const [folder] = applyToFolders(queue.unsaved(), "ann", [before]);
  expect(folder?.items.map((item) => item.item_id)).toEqual(after);
});

test("lists of a folder's items that name all items of the earlier list become one request", async () => {
  const { queue } = await aQueue();
  for (const ids of [["cells"], ["cells", "genes"], ["genes", "leaves", "cells"]])
    await queue.enqueue("folder_update", "bio", { items: ids.map(anItem) });
  expect(queue.unsaved()).toHaveLength(1);
  const [folder] = applyToFolders(queue.unsaved(), "ann", [aFolder()]);
  expect(folder?.items.map((item) => item.item_id)).toEqual(["genes", "leaves", "cells"]);
});

test("nothing is merged into a request that was sent, and the next one is based on its result", async () => {
  const { queue, calls, server } = await aQueue();
  server.reply = unreachable;
  await queue.enqueue("component_content_update", "c1", textOf("a"), { baseVersion: 6 });
  await queue.flush();
  await queue.enqueue("component_content_update", "c1", textOf("ab"), { baseVersion: 6 });
  await queue.enqueue("component_content_update", "c1", textOf("abc"), { baseVersion: 6 });
  expect(queue.pendingFor("c1")).toHaveLength(2);
  server.reply = answer;
  await queue.flush();
  expect(calls.slice(1).map((c) => requestsOf(c).map((r) => [r.baseVersion, r.data]))).toEqual([
    [[6, textOf("a")]],
    [[7, textOf("abc")]],
  ]);
  await queue.enqueue("component_content_update", "c1", textOf("abcd"), { baseVersion: 6 });
  await queue.flush();
  expect(calls.at(-1)?.[0]?.requests[0]?.baseVersion).toBe(8);
});

test("after 5 consecutive failed attempts the notice appears and the batch is parked", async () => {
  const { queue, timers, notices, server } = await aQueue();
  server.reply = unreachable;
  await queue.enqueue("page_create", "page1", { createdAt: 1 });
  await timers.advance(600 * 4);
  expect(notices).toEqual([]);
  await timers.advance(600);
  expect(notices).toEqual([
    "We ran into an issue trying to save your data, please refresh the page if this continues to occur.",
  ]);
  expect(queue.status()).toMatchObject({ state: "parked", unsaved: 1 });
});

test("a batch parked by a network failure is resent without a second notice", async () => {
  const { queue, timers, notices, server } = await aQueue();
  server.reply = unreachable;
  await queue.enqueue("page_create", "page1", { createdAt: 1 });
  await timers.advance(3000 + 30_000);
  expect(queue.status().state).toBe("parked");
  server.reply = answer;
  await timers.advance(60_000);
  expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
  expect(notices).toHaveLength(1);
});

test("a batch parked by a refusal waits for the user and blocks nothing else", async () => {
  const { queue, timers, server } = await aQueue();
  server.reply = refusing((r) => r.resourceId === "bad");
  await queue.enqueue("page_update", "bad", { title: "x" });
  await queue.enqueue("page_create", "page1", { createdAt: 1 });
  await timers.advance(600);
  expect(queue.unsaved().map((r) => r.resourceId)).toEqual(["bad"]);
  await timers.advance(3_600_000);
  expect(queue.status().parked.map((i) => i.parked)).toMatchObject([{ kind: "refusal", code: "not_found" }]);
  await queue.connectionChanged();
  expect(queue.status().state).toBe("parked");
  server.reply = answer;
  await queue.retry();
  await queue.flush();
  expect(queue.status().state).toBe("saved");
});

test("discarding a change also discards those that depend on it", async () => {
  const { queue, timers, server } = await aQueue();
  server.reply = refusing(() => true);
  await queue.enqueue("page_create", "page1", { createdAt: 1 });
  await queue.enqueue("page_update", "page1", { title: "x" });
  await timers.advance(6000);
  const [parked] = queue.status().parked;
  expect(queue.exportUnsaved()).toContain("page_update");
  const gone = await queue.discard([parked?.request.id ?? ""]);
  expect(gone.map((r) => r.type)).toEqual(["page_create", "page_update"]);
  expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
});

test("offline, no attempt counts as failed, and the queue resumes when back online", async () => {
  const { queue, timers, calls, notices, server } = await aQueue();
  server.isOnline = false;
  await queue.enqueue("page_create", "page1", { createdAt: 1 });
  await timers.advance(1800 * 20);
  expect([calls.length, notices.length]).toEqual([0, 0]);
  expect(queue.status()).toMatchObject({ state: "offline", unsaved: 1 });
  server.isOnline = true;
  await timers.advance(1800);
  expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
});

test("a request that makes its call fail is isolated, and the others are saved", async () => {
  const { queue, timers, server } = await aQueue();
  server.reply = (requests) => {
    if (requests.some((r) => r.resourceId === "page5")) throw Object.assign(new Error("bad"), { status: 413 });
    return answer(requests);
  };
  for (let i = 0; i < 9; i += 1) await queue.enqueue("page_create", `page${i}`, { createdAt: 1 });
  await timers.advance(600);
  expect(queue.unsaved().map((r) => r.resourceId)).toEqual(["page5"]);
});

test("all unsaved changes are restored after the tab was killed", async () => {
  const storage: SyncStorage = memoryStorage("laptop");
  const killedTab = await aQueue({ storage });
  killedTab.server.reply = unreachable;
  await killedTab.queue.enqueue("page_create", "page1", { createdAt: 1 });
  await killedTab.queue.flush();
  const { queue } = await aQueue({ storage });
  expect(queue.unsaved()).toHaveLength(1);
  await queue.flush();
  expect(queue.status().state).toBe("saved");
});

test("a new component is pending for 1.5 s, a new page for 2.5 s, and both are very recent for 4 s", async () => {
  const { queue, timers } = await aQueue();
  await queue.enqueue("page_create", "page1", { createdAt: 1 });
  const flags = () => [
    queue.isPending("page1", "component"),
    queue.isPending("page1", "page"),
    queue.isVeryRecent("page1"),
  ];
  expect(flags()).toEqual([true, true, true]);
  await timers.advance(1500);
  expect(flags()).toEqual([false, true, true]);
  await timers.advance(1000);
  expect(flags()).toEqual([false, false, true]);
  await timers.advance(1500);
  expect(flags()).toEqual([false, false, false]);
});

test("a wipe removes all of the account's changes and none of another's", async () => {
  const storage = memoryStorage("laptop");
  const [ann, bob] = [await aQueue({ storage }), await aQueue({ storage, accountId: "bob" })];
  await ann.queue.enqueue("page_create", "page1", { createdAt: 1 });
  await bob.queue.enqueue("page_create", "page2", { createdAt: 1 });
  await ann.queue.wipe();
  expect(await storage.list("ann")).toEqual([]);
  expect(await storage.list("bob")).toHaveLength(1);
});

test("a change being written to disk counts as unsaved, unless writing fails", async () => {
  const memory = memoryStorage("laptop");
  let disk = Promise.resolve();
  const storage: SyncStorage = {
    ...memory,
    transact: async (scope, work) => {
      await disk;
      return memory.transact(scope, work);
    },
  };
  const { queue } = await aQueue({ storage });
  const written = createDeferred<void>();
  disk = written.promise;
  const first = queue.enqueue("component_content_update", "text-1", textOf("one"), { baseVersion: 3 });
  await Promise.resolve();
  const second = queue.enqueue("component_content_update", "text-1", textOf("two"), { baseVersion: 3 });
  expect(queue.pendingFor("text-1").map(({ data }) => data)).toEqual([textOf("one"), textOf("two")]);
  written.resolve();
  await Promise.all([first, second]);
  expect(queue.pendingFor("text-1").map(({ data }) => data)).toEqual([textOf("two")]);
  disk = Promise.reject(new Error("the disk is full"));
  const refused = queue.enqueue("component_content_update", "text-2", textOf("three"));
  expect(queue.pendingFor("text-2")).toHaveLength(1);
  await expect(refused).rejects.toThrow("the disk is full");
  expect(queue.pendingFor("text-2")).toEqual([]);
});
