// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { expect, onTestFinished, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { frameEvent } from "#shared/contract/framing.ts";
import type { Change, SyncRequest } from "#shared/sync/schema.ts";
import { setTransport } from "#webapp/app/client.ts";
import { setUser } from "#webapp/app/session/session.ts";
import { followAccount } from "#webapp/offline/live-updates.ts";
import { openChannel } from "#webapp/offline/tabs.ts";
import { queue } from "#webapp/offline/sync.ts";
import { ada } from "#tests/kit/browser/web.tsx";

type Body = { batches?: { requests: SyncRequest[] }[] };

/** A server with a live stream; `end` cuts the stream off. */
function aServer() {
  const server = { isReached: true, end: () => {}, streams: 0, paths: [] as string[] };
  async function* liveStream(): AsyncGenerator<string> {
    server.streams += 1;
    yield frameEvent({ type: "beat", seq: 1 });
    await new Promise<void>((resolve) => (server.end = resolve));
    throw new NoResponseError("network");
  }
  setTransport(async ({ path, body }) => {
    if (!server.isReached) throw new NoResponseError("network");
    server.paths.push(path);
    const { batches = [] } = body.kind === "json" ? (JSON.parse(body.text) as Body) : {};
    const success = batches.flatMap((b) => b.requests.map((r) => r.id));
    const synced = { success, num_failed: 0, failed: [], parcels: [], versions: [] };
    const answers = [
      ["/v1/sync/digest", { pages: [] }],
      ["/v1/auth/get_user", { user: ada, organization: null, tempToken: "temp" }],
    ] as const;
    const answer = answers.find(([start]) => path.startsWith(start))?.[1] ?? synced;
    return { text: async () => JSON.stringify(answer), blob: async () => new Blob(), pieces: liveStream };
  });
  return server;
}

/** Removes the jitter, so that waking the queue sends at once. */
function removeJitter(): void {
  const random = vi.spyOn(crypto, "getRandomValues").mockImplementation((bytes) => {
    (bytes as unknown as Uint32Array).fill(0);
    return bytes;
  });
  onTestFinished(() => random.mockRestore());
}

/** Makes an edit and parks it by five failed attempts. */
async function park(): Promise<void> {
  removeJitter();
  await queue().enqueue("page_update", "page-1", { title: "Cells" });
  for (let attempt = 0; attempt < 5; attempt += 1) await queue().flush();
  expect(queue().status().state).toBe("parked");
  // Skips the pause after the last attempt.
  const now = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(now + 2_000);
  onTestFinished(() => clock.mockRestore());
}

/** Waits for less time than the backoff would take. */
const waitUntilSent = () => expect.poll(() => queue().status().state, { timeout: 1_500, interval: 20 }).toBe("saved");

test.each([
  ["the window gets the focus", () => window.dispatchEvent(new Event("focus"))],
  ["the tab is shown again", () => document.dispatchEvent(new Event("visibilitychange"))],
  ["the browser is online", () => window.dispatchEvent(new Event("online"))],
])("changes parked by an outage are sent when %s", async (how, trigger) => {
  const server = aServer();
  setUser({ ...ada, _id: how });
  await queue().start();
  server.isReached = false;
  await park();
  server.isReached = true;
  trigger();
  await waitUntilSent();
});

test("changes parked by an outage are sent when the live stream is back", async () => {
  const server = aServer();
  setUser({ ...ada, _id: "account-live" });
  await queue().start();
  const stop = followAccount("account-live");
  await expect.poll(() => server.streams).toBe(1);
  const wake = vi.spyOn(queue(), "wake");
  server.isReached = false;
  server.end();
  await park();
  wake.mockClear();
  server.isReached = true;
  await expect.poll(() => server.streams, { timeout: 5_000 }).toBe(2);
  await expect.poll(() => wake.mock.calls.length).toBe(1);
  await waitUntilSent();
  stop();
});

test("a page restored from the back/forward cache loads what it missed, such as a new plan", async () => {
  const server = aServer();
  setUser({ ...ada, _id: "account-back" });
  const stop = followAccount("account-back", { isRestored: true });
  await expect.poll(() => server.paths).toContain("/v1/auth/get_user");
  stop();
});

test("texts of a research session do not make a tab load its lists again, but a new session does", async () => {
  const server = aServer();
  setUser({ ...ada, _id: "account-texts" });
  const stop = followAccount("account-texts");
  onTestFinished(stop);
  await expect.poll(() => server.streams).toBe(1);
  const channel = openChannel("lamplight-live");
  const tell = (...changes: readonly Change[]) =>
    channel?.post({ accountId: "account-texts", seq: 2, changes, isReturn: false });
  server.paths.length = 0;
  // Changes that arrive together are also loaded together.
  tell({ kind: "research", ids: ["session-1"], isTextOnly: true }, { kind: "favorites", ids: [] });
  await expect.poll(() => server.paths).toContain("/v1/auth/get_favorites");
  expect(server.paths).not.toContain("/v1/auth/get_content");
  tell({ kind: "research", ids: ["session-1"] });
  await expect.poll(() => server.paths).toContain("/v1/auth/get_content");
});

test("a tab that takes over the live stream late makes the other tabs refresh everything", async () => {
  const server = aServer();
  setUser({ ...ada, _id: "account-late" });
  const stopFirst = followAccount("account-late");
  await expect.poll(() => server.streams).toBe(1);
  const stop = followAccount("account-late");
  const received: unknown[] = [];
  const channel = new BroadcastChannel("lamplight-live");
  channel.addEventListener("message", ({ data }) => received.push((data as { changes: unknown }).changes));
  onTestFinished(() => channel.close());
  const now = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(now + 10_000);
  onTestFinished(() => clock.mockRestore());
  stopFirst();
  server.end();
  await expect.poll(() => server.streams).toBe(2);
  await expect.poll(() => received).toContainEqual([{ kind: "everything", ids: [] }]);
  stop();
});
