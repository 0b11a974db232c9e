import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { Semaphore } from "#api/semaphore.ts";

/** Work that goes on until it is ended. */
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

const cannotWork = () => Promise.reject(new Error("no room on the disk"));
const cannotBegin = () => {
  throw new Error("no such program");
};

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

test("runs up to the limit at once, and the rest first in, first out", async () => {
  const gate = new Semaphore(2);
  const [a, b, c, d] = [someWork(), someWork(), someWork(), someWork()];
  const all = [a, b, c, d].map((each) => gate.run(() => each.run()));
  const begun = async () => {
    await settled();
    return [a, b, c, d].map((each) => each.isBegun);
  };
  expect(await begun()).toEqual([true, true, false, false]);
  b.end("b");
  expect(await begun()).toEqual([true, true, true, false]);
  expect(gate.tryAcquire()).toBe(false);
  a.end("a");
  expect(await begun()).toEqual([true, true, true, true]);
  c.end("c");
  d.end("d");
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("a slot is released when its work fails, even before it started", async () => {
  const gate = new Semaphore(1);
  await expect(gate.run(cannotWork)).rejects.toThrow("no room on the disk");
  await expect(gate.run(cannotBegin)).rejects.toThrow("no such program");
  expect(await gate.run(() => Promise.resolve("done"))).toBe("done");
});

test("an aborted waiter takes no slot, and the next one runs", async () => {
  const gate = new Semaphore(1);
  const [first, third] = [someWork(), someWork()];
  const gone = new AbortController();
  const one = gate.run(() => first.run());
  const two = gate.run(() => Promise.resolve("two"), gone.signal);
  const three = gate.run(() => third.run());
  gone.abort(new Error("gone"));
  await expect(two).rejects.toThrow("gone");
  await expect(gate.run(() => Promise.resolve("late"), gone.signal)).rejects.toThrow("gone");
  first.end("one");
  await settled();
  third.end("three");
  expect(await Promise.all([one, three])).toEqual(["one", "three"]);
  expect(gate.tryAcquire()).toBe(true);
});
