import { expect, test } from "vitest";
import { insertWithinLimit } from "#api/store/insert-within-limit.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { type FakeClock, fakeClock } from "#tests/kit/fake-clock.ts";
import { memoryDocuments } from "../memory-documents.ts";

const things: CollectionSpec<OwnedDoc> = { name: "things", shardKey: "ownerId", indexes: [] };
const own = () => ownedBy(memoryDocuments(), "ada");
type Steps = Parameters<typeof insertWithinLimit>[1];

/** Inserts a thing with this id; the limit is one thing. */
const insertThing = (account: ReturnType<typeof own>, _id: string, steps: Pick<Steps, "now"> & Partial<Steps>) =>
  insertWithinLimit(account, {
    name: "things",
    max: 1,
    count: () => account.in(things).count({}),
    insert: () => account.in(things).insert({ _id }),
    remove: () => account.in(things).remove({ _id }),
    ...steps,
  });

/** A clock that advances whenever it is read. */
function advancingClock(): FakeClock {
  const clock = fakeClock();
  return {
    ...clock,
    now() {
      clock.advance(300);
      return clock.now();
    },
  };
}

/**
 * A call that takes the lock and never continues, as in a process that was killed. Its first attempt exceeds the
 * limit, and its second attempt, with the lock, never ends.
 */
async function crashWithLock(account: ReturnType<typeof own>, clock: FakeClock): Promise<void> {
  const crashed = createDeferred<void>();
  const counts = [0, 2, 0];
  void insertThing(account, "crashed", {
    now: () => clock.now(),
    count: () => Promise.resolve(counts.shift() ?? 0),
    insert() {
      if (counts.length > 0) return Promise.resolve("inserted");
      crashed.resolve();
      return new Promise(() => {});
    },
  });
  await crashed.promise;
}

test("after a crash with the lock, exactly one of five calls at once succeeds when the lock has expired", async () => {
  const account = own();
  const clock = fakeClock();
  await crashWithLock(account, clock);
  const crashedAt = clock.now();
  const hasty = advancingClock();
  const calls = Array.from({ length: 5 }, (_, n) => insertThing(account, `thing ${n}`, hasty));
  expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(1);
  expect(hasty.now()).toBeGreaterThan(crashedAt + 5_000);
  expect(await account.in(things).count({})).toBe(1);
});

test("a lock from before the clock was set back by a day delays no call", async () => {
  const account = own();
  const tomorrow = fakeClock();
  tomorrow.advance(86_400_000);
  await crashWithLock(account, tomorrow);
  const today = fakeClock();
  expect(await Promise.all(["a", "b"].map((name) => insertThing(account, name, today)))).toContain(true);
});

test("a call that waits too long for a lock fails with a time to try again, and nothing is inserted", async () => {
  const account = own();
  const ahead = fakeClock();
  // The clock of the other process is ahead, so its lock outlasts the wait.
  ahead.advance(4_500);
  await crashWithLock(account, ahead);
  const outcomes = await Promise.allSettled(["a", "b"].map((name) => insertThing(account, name, advancingClock())));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ reason: { code: "store_unavailable", data: { retryAfterSeconds: 2 } } });
  expect(await account.in(things).count({})).toBe(0);
});

test("two calls that both removed their document because a lock expired try again, and one succeeds", async () => {
  const account = own();
  const clock = fakeClock();
  const countThings = () => account.in(things).count({});
  const [slowHasLock, nextCounts, slowCounts] = [
    createDeferred<void>(),
    createDeferred<void>(),
    createDeferred<void>(),
  ];
  const slowSteps = [
    async () => 0,
    async () => 2,
    async () => 0,
    async () => {
      slowHasLock.resolve();
      await nextCounts.promise;
      const count = await countThings();
      slowCounts.resolve();
      return count;
    },
  ];
  const slow = insertThing(account, "slow", {
    now: () => clock.now(),
    count: () => (slowSteps.shift() ?? countThings)(),
  });
  await slowHasLock.promise;
  clock.advance(5_001);
  const nextSteps = [
    async () => 0,
    async () => 2,
    async () => 0,
    async () => {
      nextCounts.resolve();
      await slowCounts.promise;
      return 2;
    },
  ];
  const next = insertThing(account, "next", {
    now: () => clock.now(),
    count: () => (nextSteps.shift() ?? countThings)(),
  });
  expect([await slow, await next]).toEqual([true, false]);
  expect(await countThings()).toBe(1);
});
