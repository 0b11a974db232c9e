import { once } from "node:events";
import { stat } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { MongoServerSelectionError } from "mongodb";
import { expect, test } from "vitest";
import { createPinger, MongoWatchdog } from "#api/store/mongo-watchdog.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

/** Blocks the event loop for longer than a ping may take, as a long calculation does. */
const blockEventLoop = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);

test("a server whose answer arrives while the event loop is blocked is not reported as silent", async () => {
  const slow = createDeferred<string>();
  const watchdog = new MongoWatchdog(async () => {
    // Afterwards timers run before any data is read.
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

test("the next ping does not wait for an unanswered one", async () => {
  const signals: AbortSignal[] = [];
  const next = createDeferred<void>();
  const watchdog = new MongoWatchdog((abandoned) => {
    signals.push(abandoned);
    if (signals.length === 1) return new Promise(() => {});
    next.resolve();
    return Promise.resolve();
  });
  await expect(watchdog.run(() => new Promise(() => {}))).rejects.toMatchObject({ code: "store_unavailable" });
  await next.promise;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await expect.poll(() => watchdog.run(() => Promise.resolve("saved")).catch(() => "rejected")).toBe("saved");
});

test("an abandoned ping closes its connection at once, and the next one makes its own", async () => {
  const server = createServer((socket) => socket.on("error", () => undefined).resume());
  server.listen(0, "127.0.0.1");
  const nextSocket = async () => ((await once(server, "connection")) as [Socket])[0];
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const pinger = createPinger(`mongodb://127.0.0.1:${port}/`);
  const abandoned = new AbortController();
  const ping = pinger.ping(abandoned.signal).catch((cause: unknown) => cause);
  const closed = once(await nextSocket(), "close");
  abandoned.abort();
  await closed;
  // The error is not the driver's own timeout.
  expect(await ping).not.toBeInstanceOf(MongoServerSelectionError);
  const nextPing = pinger.ping().catch(() => undefined);
  await nextSocket();
  await pinger.close();
  await nextPing;
  server.close();
});
