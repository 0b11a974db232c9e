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

test("a position that did not reach the server is sent again by itself", async () => {
  vi.useFakeTimers();
  setUser(ada);
  let sent = 0;
  setTransport(({ endpoint }) => {
    if (endpoint !== v1.podcasts.savePosition) return Promise.reject(new NoResponse("network"));
    sent += 1;
    if (sent < 3) return Promise.reject(new NoResponse("network"));
    return Promise.resolve({
      text: () => Promise.resolve('{"success":true}'),
      blob: () => Promise.resolve(new Blob()),
      async *pieces() {},
    });
  });
  savePosition("episode", 61_342);
  await vi.advanceTimersByTimeAsync(0);
  expect([sent, findUnsentPosition("episode")]).toEqual([1, 61_342]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([sent, findUnsentPosition("episode")]).toEqual([3, undefined]);
});
