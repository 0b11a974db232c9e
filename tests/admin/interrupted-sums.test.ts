import { expect, onTestFinished, test } from "vitest";
import { figureDays, rollUpFigures } from "#api/store/figures/roll-up.ts";
import { addToFigure, recordFigure, figureRecords } from "#api/store/figures/figure-store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { Collection, CollectionSpec, Doc, DocumentStore, Filter } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { override } from "./override.ts";
import { inBatches } from "./seeded-lists.ts";

const NOW = Date.UTC(2026, 8, 16, 12);
const clock = { now: () => NOW };

/** A store for one process. `afterRead` runs once, after the process has read a day's effects and before it stores their sum. */
function interruptOnce(store: DocumentStore, afterRead: () => Promise<void>): DocumentStore {
  let isDone = false;
  const collection: DocumentStore["collection"] = <T extends Doc>(spec: CollectionSpec<T>): Collection<T> => {
    const inner = store.collection<T>(spec);
    const find: Collection<T>["find"] = async (filter: Filter<T>, options) => {
      const found = await inner.find(filter, options);
      if (spec.name !== figureRecords.name || !("figure" in filter) || isDone) return found;
      isDone = true;
      await afterRead();
      return found;
    };
    return override(inner, { find });
  };
  return override(store, { collection });
}

async function aStore(): Promise<DocumentStore> {
  const store = openSqlite({ path: ":memory:" });
  onTestFinished(() => store.close());
  return store;
}

const own = (store: DocumentStore) => ownedBy(store, "ada");
const answer = (store: DocumentStore, id: string, verified: number) =>
  recordFigure(own(store), { figure: "answers", id, at: NOW, sums: { answers: 1, verified } });
const call = (store: DocumentStore) =>
  addToFigure(own(store), { figure: "calls", id: "day", at: NOW, sums: { calls: 1 } });

async function readSums(store: DocumentStore): Promise<Record<string, unknown>> {
  const days = await store.collection(figureDays).find({});
  return Object.fromEntries(days.map(({ figure, entries }) => [figure, entries[0]?.sums]));
}

test("an effect that changes while its day is summed is in the next sum", async () => {
  const store = await aStore();
  await answer(store, "one", 5);
  await rollUpFigures({ store: interruptOnce(store, () => answer(store, "one", 7)), clock });
  await rollUpFigures({ store, clock });
  await call(store);
  await rollUpFigures({ store: interruptOnce(store, () => call(store)), clock });
  await rollUpFigures({ store, clock });
  expect(await readSums(store)).toEqual({ answers: { answers: 1, verified: 7 }, calls: { calls: 2 } });
});

test("a process with older data does not replace the newer sum of another process", async () => {
  const store = await aStore();
  const byAnother = async () => {
    await answer(store, "two", 3);
    await rollUpFigures({ store, clock });
  };
  await answer(store, "one", 5);
  await rollUpFigures({ store, clock });
  await answer(store, "one", 6);
  await rollUpFigures({ store: interruptOnce(store, byAnother), clock });
  expect(await readSums(store)).toEqual({ answers: { answers: 2, verified: 9 } });
});

test.each(["first", "later"])(
  "the %s sum of a day by two processes at once contains what both have read",
  async (which) => {
    const store = await aStore();
    if (which === "later") {
      await answer(store, "zero", 1);
      await rollUpFigures({ store, clock });
    }
    await answer(store, "one", 5);
    const slowRead = createDeferred<undefined>();
    const quickStored = createDeferred<undefined>();
    // The quick process reads before the slow one writes, and stores after the slow one has read.
    let slow: Promise<void> | undefined;
    const quick = rollUpFigures({
      store: interruptOnce(store, async () => {
        await answer(store, "two", 3);
        const paused = interruptOnce(store, async () => {
          slowRead.resolve(undefined);
          await quickStored.promise;
        });
        slow = rollUpFigures({ store: paused, clock });
        await slowRead.promise;
      }),
      clock,
    });
    await quick;
    quickStored.resolve(undefined);
    await slow;
    const [answers, verified] = which === "later" ? [3, 9] : [2, 8];
    expect(await readSums(store)).toEqual({ answers: { answers, verified } });
  },
);

test("effects that do not fit into one read are summed together", async () => {
  const store = await aStore();
  const count = 5200;
  await inBatches(count, (at) => answer(store, `answer-${at}`, 1));
  await rollUpFigures({ store, clock });
  expect(await readSums(store)).toEqual({ answers: { answers: count, verified: count } });
  expect(await store.collection(figureRecords).count({ isDirty: true })).toBe(0);
});
