import { expect, test, vi } from "vitest";
import type { SyncBatch } from "#shared/sync/batching.ts";
import { createSyncQueue } from "#shared/sync/queue.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { memoryStorage } from "#shared/sync/store.ts";
import { textComponent } from "#tests/store/changes.ts";
import { fakeTimers } from "./fake-timers.ts";

const MINUTE_MS = 60_000;

/** A server that can be taken away: what reached it before and after, in the order in which it came. */
function aServer() {
  const got: SyncRequest[] = [];
  const server = { isThere: true, got };
  const send = async (batches: SyncBatch[]) => {
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

const saidIn = ({ data }: SyncRequest): string => JSON.stringify(data);

test("a server that is gone for ten minutes in the middle of writing gets all of it afterwards, and the student is told once it matters", async () => {
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
    // The network is there: it is the server that does not answer.
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
    expect(queue.unsaved().some((request) => saidIn(request).includes(`word ${written}`))).toBe(true);
  }
  expect(parked).toHaveBeenCalled();
  expect(queue.status().unsaved).toBeGreaterThan(0);

  server.isThere = true;
  await timers.advance(10 * MINUTE_MS);
  expect(queue.status()).toMatchObject({ state: "saved", unsaved: 0 });
  for (const [at, id] of lines.entries()) {
    const mine = server.got.filter(({ resourceId }) => resourceId === id);
    expect(mine[0]?.type).toBe("component_create");
    expect(saidIn(mine.at(-1) as SyncRequest)).toContain(`word ${at * 30 + 29}`);
  }
});
