// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { expect, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import type { Favorite } from "#shared/library/schema.ts";
import { setTransport } from "#webapp/app/client.ts";
import { setUser } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { loadPins, pinsAtom, reloadPins } from "#webapp/library/pins.ts";
import { loadListCache } from "#webapp/offline/cache-lists.ts";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { ada } from "#tests/kit/browser/web.tsx";

const aPin = (itemId: string): Favorite => ({
  _id: itemId,
  userId: ada._id,
  itemId,
  itemType: "page",
  data: { title: itemId },
  createdAt: 1,
  sortIndex: 1,
});
const serve = (...ids: string[]) =>
  setTransport(() => Promise.resolve(replyWith(JSON.stringify({ favorites: ids.map(aPin) }))));
const shownIds = () => store.get(pinsAtom).map(({ itemId }) => itemId);

test("pins that cannot be loaded again stay as they are shown, although the cache is older", async () => {
  vi.spyOn(console, "warn").mockReturnValue(undefined);
  setUser(ada);
  serve("osmosis");
  await loadPins();
  const cache = await loadListCache();
  await expect.poll(async () => (await cache.findCachedList(ada._id, "pins"))?.length).toBe(1);
  serve("genes", "osmosis");
  await reloadPins();
  setTransport(() => Promise.reject(new NoResponseError("network")));
  await reloadPins();
  expect(shownIds()).toEqual(["genes", "osmosis"]);
});
