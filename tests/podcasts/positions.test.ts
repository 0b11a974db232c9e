// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { expect, test, vi } from "vitest";
import { NoResponse } from "#shared/client/client.ts";
import { v1 } from "#shared/contract/v1.ts";
import { setTransport } from "#webapp/app/client.ts";
import { setUser } from "#webapp/app/session/session.ts";
import { findUnsentPosition, savePosition } from "#webapp/podcasts/positions.ts";
import { ada } from "#tests/kit/browser/web.tsx";
import { replyWith } from "#tests/kit/browser/reply.ts";

test("a position that did not reach the server is sent again by itself", async () => {
  vi.useFakeTimers();
  setUser(ada);
  let sent = 0;
  const listenedAt = new Set<unknown>();
  setTransport(({ endpoint, body }) => {
    if (endpoint !== v1.podcasts.savePosition) return Promise.reject(new NoResponse("network"));
    sent += 1;
    if (body.kind === "json") listenedAt.add((JSON.parse(body.text) as { listened_at: number }).listened_at);
    if (sent < 3) return Promise.reject(new NoResponse("network"));
    return Promise.resolve(replyWith('{"success":true}'));
  });
  savePosition("episode", 61_342);
  await vi.advanceTimersByTimeAsync(0);
  expect([sent, findUnsentPosition("episode")]).toEqual([1, 61_342]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([sent, findUnsentPosition("episode")]).toEqual([3, undefined]);
  // The repeat has the time of listening, not of sending, because another device may have been listened to since.
  expect(listenedAt.size).toBe(1);
});
