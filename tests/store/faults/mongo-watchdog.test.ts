import { stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { MongoWatchdog } from "#api/store/mongo-watchdog.ts";
import { createDeferred } from "#tests/kit/browser/deferred.ts";

/** Blocks the event loop for longer than a ping may take, as a long calculation does. */
const blockEventLoop = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);

test("a server that answers while the event loop is blocked is not taken for a silent one", async () => {
  const slow = createDeferred<string>();
  const watchdog = new MongoWatchdog(async () => {
    // After this the timers run, before anything is read.
    await new Promise(setImmediate);
    // Another thread answers at once.
    const answer = stat("package.json");
    blockEventLoop();
    await answer;
    slow.resolve("saved");
  });
  expect(await watchdog.run(() => slow.promise)).toBe("saved");
  expect(await watchdog.run(() => Promise.resolve("saved"))).toBe("saved");
});

test("a server that answers no ping is reported", async () => {
  const watchdog = new MongoWatchdog(() => new Promise(() => {}));
  await expect(watchdog.run(() => new Promise(() => {}))).rejects.toMatchObject({ code: "store_unavailable" });
  watchdog.close();
});
