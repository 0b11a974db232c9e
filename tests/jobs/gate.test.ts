import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { Semaphore } from "#api/semaphore.ts";

/** Work that runs until `end` is called. */
function someWork() {
  const ends = new EventEmitter();
  const work = {
    isBegun: false,
    run: async () => {
      work.isBegun = true;
      return String((await once(ends, "end"))[0]);
    },
    end: (value: string) => ends.emit("end", value),
  };
  return work;
}

const cannotWork = () => Promise.reject(new Error("the disk is full"));
const cannotBegin = () => {
  throw new Error("no such program");
};

const runPending = () => new Promise<void>((resolve) => void setImmediate(resolve));

test("up to the limit run at once, and further work runs first in, first out", async () => {
  const semaphore = new Semaphore(2);
  const [a, b, c, d] = [someWork(), someWork(), someWork(), someWork()];
  const all = [a, b, c, d].map((work) => semaphore.run(() => work.run()));
  const begun = async () => {
    await runPending();
    return [a, b, c, d].map((work) => work.isBegun);
  };
  expect(await begun()).toEqual([true, true, false, false]);
  b.end("b");
  expect(await begun()).toEqual([true, true, true, false]);
  expect(semaphore.tryAcquire()).toBe(false);
  a.end("a");
  expect(await begun()).toEqual([true, true, true, true]);
  c.end("c");
  d.end("d");
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("a slot is released when its work fails, even before it started", async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(cannotWork)).rejects.toThrow("the disk is full");
  await expect(semaphore.run(cannotBegin)).rejects.toThrow("no such program");
  expect(await semaphore.run(() => Promise.resolve("done"))).toBe("done");
});

test("an aborted waiter takes no slot, and the next one runs", async () => {
  const semaphore = new Semaphore(1);
  const [first, third] = [someWork(), someWork()];
  const gone = new AbortController();
  const one = semaphore.run(() => first.run());
  const two = semaphore.run(() => Promise.resolve("two"), gone.signal);
  const three = semaphore.run(() => third.run());
  gone.abort(new Error("gone"));
  await expect(two).rejects.toThrow("gone");
  await expect(semaphore.run(() => Promise.resolve("late"), gone.signal)).rejects.toThrow("gone");
  first.end("one");
  await runPending();
  third.end("three");
  expect(await Promise.all([one, three])).toEqual(["one", "three"]);
  expect(semaphore.tryAcquire()).toBe(true);
});
