import { expect, test, vi } from "vitest";
import type { ResourceGroup } from "#shared/sync/batching.ts";
import { createSyncQueue } from "#shared/sync/queue.ts";
import type { SyncAnswer, SyncRequest } from "#shared/sync/schema.ts";
import { memoryStorage } from "#shared/sync/store.ts";
import { textComponent } from "#tests/store/changes.ts";
import { seededRandom } from "#tests/kit/random.ts";
import { fakeTimers } from "./fake-timers.ts";

const MINUTE_MS = 60_000;

/** A server that can be switched off; `got` has the requests that reached it, in order. */
function aServer() {
  const got: SyncRequest[] = [];
  const server = { isThere: true, got };
  const send = async (batches: ResourceGroup[]) => {
    if (!server.isThere) throw new TypeError("fetch failed");
    const requests = batches.flatMap((batch) => batch.requests);
    got.push(...requests);
    const versions = requests.map((r) => ({
      requestId: r.id,
      componentId: r.resourceId,
      version: (r.baseVersion ?? 0) + 1,
      conflict: false,
    }));
    return { success: requests.map(({ id }) => id), num_failed: 0, failed: [], parcels: [], versions };
  };
  return { server, send };
}

const textOf = (text: string) => ({
  newContent: { text: [{ content: text }], subType: "normal", metadata: { indents: 0, highlightColor: null } },
});

const textIn = ({ data }: SyncRequest): string => JSON.stringify(data);

/** A queue whose network works, so that only the server can fail. */
async function aClient(
  send: (batches: ResourceGroup[]) => Promise<SyncAnswer>,
  random: () => number,
  onParked: () => void = () => undefined,
) {
  const timers = fakeTimers();
  const queue = createSyncQueue({
    accountId: "ann",
    storage: memoryStorage("laptop"),
    send,
    clock: timers.clock,
    schedule: timers.schedule,
    random,
    lock: (_name, work) => work(),
    online: () => true,
    onParked,
  });
  await queue.start();
  return { queue, timers };
}

/** A client with one unsent edit, after an outage of this length. */
async function afterOutage(outageMs: number, random: () => number) {
  const { server, send } = aServer();
  const attempts: number[] = [];
  const { queue, timers } = await aClient((batches) => {
    attempts.push(timers.clock.now());
    return send(batches);
  }, random);
  server.isThere = false;
  await queue.enqueue("component_create", "line", textComponent("line", "page", "begun"));
  await timers.advance(outageMs);
  server.isThere = true;
  return { queue, timers, attempts };
}

test.each([40, 150, 300, 3600])(
  "after an outage of %i s everything is sent within 10 s of the server's return, without any action",
  async (outageS) => {
    for (const random of [() => 0, () => 0.5, () => 0.999, seededRandom(outageS)]) {
      const { queue, timers } = await afterOutage(outageS * 1000, random);
      await timers.advance(10_000);
      expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
    }
  },
);

test("typing or a live stream's return triggers sending, and new text isn't delayed by backoff", async () => {
  // The server returns at any moment between two retries.
  for (let outageMs = 300_000; outageMs < 310_000; outageMs += 1_000)
    for (const random of [() => 0, () => 0.999]) {
      const { queue, timers } = await afterOutage(outageMs, random);
      await queue.enqueue("component_content_update", "line", textOf("more"), { baseVersion: 1 });
      await timers.advance(4_000);
      expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
      const { queue: idle, timers: clock } = await afterOutage(outageMs, random);
      idle.wake();
      await clock.advance(3_000);
      expect(idle.status()).toMatchObject({ state: "saved", unsaved: 0 });
    }
});

test("after five attempts, a typing client retries at most every 1.8 s, and clients don't all return at once", async () => {
  const returned: number[] = [];
  for (let client = 0; client < 40; client += 1) {
    const { server, send } = aServer();
    const attempts: number[] = [];
    const { queue, timers } = await aClient(
      (batches) => {
        attempts.push(timers.clock.now());
        return send(batches);
      },
      seededRandom(client + 1),
    );
    server.isThere = false;
    await queue.enqueue("component_create", "line", textComponent("line", "page", "begun"));
    for (let typed = 0; typed < 60; typed += 1) {
      await queue.enqueue("component_content_update", "line", textOf(`word ${typed}`), { baseVersion: 1 });
      queue.wake();
      await timers.advance(1_000);
    }
    const later = attempts.slice(5);
    const gaps = later.slice(1).map((at, before) => at - (later[before] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1800);
    server.isThere = true;
    const backAt = timers.clock.now();
    const tried = attempts.length;
    await timers.advance(10_000);
    returned.push((attempts[tried] ?? 0) - backAt);
  }
  const perSecond = [0, 1, 2].map((second) => returned.filter((ms) => Math.floor(ms / 1000) === second).length);
  expect(Math.max(...perSecond)).toBeLessThan(40 * 0.75);
});

test("writing continues through a ten-minute outage: everything is sent afterwards, and the student is notified once", async () => {
  const timers = fakeTimers();
  const { server, send } = aServer();
  const parked = vi.fn();
  const queue = createSyncQueue({
    accountId: "ann",
    storage: memoryStorage("laptop"),
    send,
    clock: timers.clock,
    schedule: timers.schedule,
    random: () => 0.5,
    lock: (_name, work) => work(),
    // The network works, and only the server fails.
    online: () => true,
    onParked: parked,
  });
  await queue.start();
  await queue.enqueue("component_create", "line-0", textComponent("line-0", "page", "begun"));
  await timers.advance(600);
  expect(queue.status().state).toBe("saved");

  server.isThere = false;
  const lines = ["line-0"];
  for (let written = 0; written < 10 * 30; written += 1) {
    const id = `line-${written}`;
    if (written % 30 === 0 && written > 0) {
      lines.push(id);
      await queue.enqueue("component_create", id, textComponent(id, "page", `word ${written}`));
    } else {
      const last = lines.at(-1) ?? "";
      await queue.enqueue("component_content_update", last, textOf(`word ${written}`), { baseVersion: 1 });
    }
    await timers.advance(2000);
    expect(queue.unsaved().some((request) => textIn(request).includes(`word ${written}`))).toBe(true);
  }
  expect(parked).toHaveBeenCalledTimes(1);
  expect(queue.status().unsaved).toBeGreaterThan(0);

  server.isThere = true;
  await timers.advance(10 * MINUTE_MS);
  expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
  for (const [at, id] of lines.entries()) {
    const requests = server.got.filter(({ resourceId }) => resourceId === id);
    expect(requests[0]?.type).toBe("component_create");
    expect(textIn(requests.at(-1) as SyncRequest)).toContain(`word ${at * 30 + 29}`);
  }
});

test("twenty clients lose nothing and are notified once while all requests fail for 90 s, then half of them for 60 s", async () => {
  for (let client = 1; client <= 20; client += 1) {
    const { server, send } = aServer();
    const random = seededRandom(client);
    const attempts: number[] = [];
    const parked = vi.fn();
    let failureRate = 1;
    const { queue, timers } = await aClient(
      async (batches) => {
        attempts.push(timers.clock.now());
        if (random() < failureRate) throw Object.assign(new Error("broken"), { status: 500, code: "broken" });
        return send(batches);
      },
      random,
      parked,
    );
    await queue.enqueue("component_create", "line", textComponent("line", "page", "begun"));
    const type = async (from: number, to: number) => {
      for (let second = from; second < to; second += 1) {
        await queue.enqueue("component_content_update", "line", textOf(`word ${second}`), { baseVersion: 1 });
        await timers.advance(1_000);
      }
    };
    await type(0, 90);
    const gaps = attempts.slice(5).map((at, before) => at - (attempts[before + 4] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_800);
    expect([server.got.length, parked.mock.calls.length]).toEqual([0, 1]);
    failureRate = 0.5;
    await type(90, 150);
    failureRate = 0;
    await timers.advance(10_000);
    expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
    expect(textIn(server.got.at(-1) as SyncRequest)).toContain("word 149");
  }
});
