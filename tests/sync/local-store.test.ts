// Provides IndexedDB, which Node lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { expect, test, vi } from "vitest";
import type { Lock } from "#shared/sync/flusher.ts";
import { createSyncQueue } from "#shared/sync/queue.ts";
import type { TabChannel, TabMessage } from "#shared/sync/outcomes.ts";
import type { SyncAnswer } from "#shared/sync/schema.ts";
import {
  diskStorage,
  MAX_CACHE_AGE_DAYS,
  listCachedPages,
  MAX_CACHED_PAGES,
  readCachedPage,
  removeCachedPage,
  writeCachedPage,
} from "#shared/sync/storage/local-store.ts";
import { fakeTimers } from "./fake-timers.ts";
import { buildPage } from "#shared/pages/present.ts";
import { aChange } from "#tests/store/changes.ts";
import { seededRandom } from "#tests/kit/random.ts";

const random = seededRandom(7);

const nothing: SyncAnswer = { success: [], num_failed: 0, failed: [], parcels: [], versions: [] };

/** Like `navigator.locks`: one holder at a time. */
function aLock(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

function aTab(accountId: string, channel?: TabChannel, lock: Lock = (_name, work) => work()) {
  const timers = fakeTimers();
  const world = { isOnline: false, sent: [] as string[] };
  const queue = createSyncQueue({
    accountId,
    storage: diskStorage,
    send: async (batches) => {
      const ids = batches.flatMap((b) => b.requests.map((r) => r.id));
      world.sent.push(...ids);
      return { ...nothing, success: ids };
    },
    clock: timers.clock,
    schedule: timers.schedule,
    random,
    lock,
    online: () => world.isOnline,
    ...(channel ? { channel } : {}),
  });
  return { queue, timers, world };
}

test("a queued change is on disk before its promise resolves, by account and in order", async () => {
  const [ann, bob] = [aTab("ann1"), aTab("bob1")];
  for (const page of ["p1", "p2", "p3"]) await ann.queue.enqueue("page_create", page, { createdAt: 1 });
  await bob.queue.enqueue("page_create", "p4", { createdAt: 1 });
  const stored = await diskStorage.list("ann1");
  expect(stored.map((i) => [i.request.resourceId, i.request.seq])).toEqual([
    ["p1", 1],
    ["p2", 2],
    ["p3", 3],
  ]);
  expect(await diskStorage.list("bob1")).toHaveLength(1);
});

const answer = (at: number) =>
  ({ _id: `review-of-day-${at}`, cardId: `c${at}`, componentId: "deck", grade: 3, reviewedAt: at }) as const;

test("a card answer is appended to the queue without reading the answers that are already there", async () => {
  const { queue } = aTab("ann9");
  for (let at = 1; at <= 30; at += 1) await queue.enqueue("review_add", "deck", answer(at));
  const read = vi.spyOn(IDBIndex.prototype, "getAll");
  await queue.enqueue("review_add", "deck", answer(31));
  await queue.enqueue("review_undo", "deck", { reviewId: answer(31)._id });
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
  const seqs = (await diskStorage.list("ann9")).map((i) => i.request.seq);
  expect(seqs).toEqual(Array.from({ length: 32 }, (_, at) => at + 1));
});

test("two tabs share one queue: sequence numbers are unique and every change is sent once", async () => {
  const listeners = new Set<(message: TabMessage) => void>();
  const channel = (): TabChannel => {
    let ownListener: ((message: TabMessage) => void) | undefined;
    return {
      post: (message) => {
        for (const listener of listeners) if (listener !== ownListener) listener(message);
      },
      listen: (listener) => {
        ownListener = listener;
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
  };
  const lock = aLock();
  const [one, two] = [aTab("ann2", channel(), lock), aTab("ann2", channel(), lock)];
  await Promise.all([one.queue.start(), two.queue.start()]);
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? one : two).queue.enqueue("page_create", `page${i}`, { createdAt: 1 }),
    ),
  );
  const seqs = (await diskStorage.list("ann2")).map((i) => i.request.seq);
  expect(seqs).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  await one.timers.advance(0);
  expect(two.queue.status().unsaved).toBe(20);
  for (const { world } of [one, two]) world.isOnline = true;
  await Promise.all([one.queue.flush(), two.queue.flush()]);
  const sent = [...one.world.sent, ...two.world.sent];
  expect([sent.length, new Set(sent).size]).toEqual([20, 20]);
  await expect.poll(() => one.queue.status().unsaved + two.queue.status().unsaved).toBe(0);
});

test("wiping an account removes its queue and pages, and no other account's", async () => {
  const page = buildPage(aChange("page_create", "p1", { createdAt: 1 }) as Parameters<typeof buildPage>[0], "ann3");
  const [ann, bob] = [aTab("ann3"), aTab("bob3")];
  for (const { accountId } of [ann.queue, bob.queue]) await writeCachedPage(accountId, "p1", { page, components: [] });
  await ann.queue.enqueue("page_create", "p1", { createdAt: 1 });
  await bob.queue.enqueue("page_create", "p1", { createdAt: 1 });
  await ann.queue.wipe();
  expect([await diskStorage.list("ann3"), await readCachedPage("ann3", "p1")]).toEqual([[], undefined]);
  expect([(await diskStorage.list("bob3")).length, (await listCachedPages("bob3")).length]).toEqual([1, 1]);
  await removeCachedPage("bob3", "p1");
  expect(await readCachedPage("bob3", "p1")).toBeUndefined();
});

/** Opens pages of an account one after the other. */
async function openPages(accountId: string, count: number, from = 0) {
  for (let at = from; at < from + count; at += 1)
    await writeCachedPage(accountId, `page-${String(at).padStart(3, "0")}`, { page: undefined, components: [] });
}

test("the least recently opened pages are evicted first, but no other account's and nothing unsaved", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
  const [accountId, otherId] = ["evicted-by-number", "left-alone"];
  await openPages(otherId, 1);
  await aTab(accountId).queue.enqueue("page_create", "unsaved", { createdAt: 1 });
  for (let at = 0; at < MAX_CACHED_PAGES; at += 1) {
    vi.setSystemTime(Date.now() + 1000);
    await openPages(accountId, 1, at);
  }
  // Opens the first page again, and then one page more than the cache may hold.
  vi.setSystemTime(Date.now() + 1000);
  await openPages(accountId, 1, 0);
  vi.setSystemTime(Date.now() + 1000);
  await openPages(accountId, 1, MAX_CACHED_PAGES);
  expect(await listCachedPages(accountId)).toHaveLength(MAX_CACHED_PAGES);
  expect(await readCachedPage(accountId, "page-000")).toBeDefined();
  expect(await readCachedPage(accountId, "page-001")).toBeUndefined();
  expect(await readCachedPage(otherId, "page-000")).toBeDefined();
  expect(await diskStorage.list(accountId)).toHaveLength(1);
  vi.useRealTimers();
});

test("a page not opened for 90 days is evicted, one of 89 days stays, and unsaved changes always stay", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
  const accountId = "evicted-by-age";
  await openPages(accountId, 1, 0);
  await aTab(accountId).queue.enqueue("page_create", "unsaved", { createdAt: 1 });
  vi.setSystemTime(Date.now() + 86_400_000);
  await openPages(accountId, 1, 1);
  vi.setSystemTime(Date.now() + (MAX_CACHE_AGE_DAYS - 1) * 86_400_000);
  await openPages(accountId, 1, 2);
  expect(await readCachedPage(accountId, "page-000")).toBeUndefined();
  expect(await readCachedPage(accountId, "page-001")).toBeDefined();
  expect(await diskStorage.list(accountId)).toHaveLength(1);
  vi.useRealTimers();
});
