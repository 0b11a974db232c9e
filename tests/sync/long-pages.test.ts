// Provides IndexedDB, which Node lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { openDB } from "idb";
import { expect, test, vi } from "vitest";
import { buildPage } from "#shared/pages/present.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import * as localStore from "#shared/sync/storage/local-store.ts";
import { aChange, textComponent } from "#tests/store/changes.ts";
import { seededRandom } from "#tests/kit/random.ts";

const { changeCachedPage, listCachedPages, readCachedPage, removeCachedPage, writeCachedPage } = localStore;

let lineCount = 0;

function aLine(pageId: string, version = 1): Component {
  lineCount += 1;
  return { ...textComponent(`line${lineCount}`, pageId).component, version };
}

function aState(accountId: string, pageId: string, components: Component[]): PageState {
  const request = aChange("page_create", pageId, { createdAt: 1, title: "Long" }) as Parameters<typeof buildPage>[0];
  return { page: { ...buildPage(request, accountId), components: components.map(({ _id }) => _id) }, components };
}

const aLongState = (accountId: string, pageId: string, count = 2000) =>
  aState(
    accountId,
    pageId,
    Array.from({ length: count }, () => aLine(pageId)),
  );

/** Everything that the database copies while `work` runs, in characters. */
async function sizeOfWrites(work: () => Promise<void>): Promise<number> {
  const put = vi.spyOn(IDBObjectStore.prototype, "put");
  await work();
  const size = put.mock.calls.reduce((sum, [value]) => sum + JSON.stringify(value).length, 0);
  put.mockRestore();
  return size;
}

const listRows = async (accountId: string) => {
  const db = await openDB("lamplight");
  const rows = await db.getAllKeys("pages", IDBKeyRange.bound([accountId], [accountId, []]));
  db.close();
  return rows;
};

/** The store as another tab has it. */
async function openOtherTab(): Promise<typeof localStore> {
  vi.resetModules();
  return import("#shared/sync/storage/local-store.ts");
}

test("after a change of one line of a long page, a small part of the page is written, and it is read whole", async () => {
  const state = aLongState("long1", "p1");
  const whole = await sizeOfWrites(() => writeCachedPage("long1", "p1", state));
  const changed = aState("long1", "p1", state.components.with(1000, aLine("p1", 2)));
  expect(await sizeOfWrites(() => writeCachedPage("long1", "p1", changed))).toBeLessThan(whole / 15);
  expect(await readCachedPage("long1", "p1")).toEqual(changed);
  expect(await listCachedPages("long1")).toEqual([changed]);
});

test("lines that are inserted, deleted and changed anywhere are in the cached page, in order", async () => {
  const random = seededRandom(11);
  let { components } = aLongState("long2", "p1", 300);
  for (let round = 0; round < 60; round += 1) {
    const at = Math.floor(random() * components.length);
    const [removed, added] = [Math.floor(random() * 30), Math.floor(random() * 30)];
    components = components.toSpliced(at, removed, ...Array.from({ length: added }, () => aLine("p1", round)));
    const state = aState("long2", "p1", components);
    await writeCachedPage("long2", "p1", state);
    expect(await readCachedPage("long2", "p1")).toEqual(state);
  }
});

test("of two tabs that cache a long page in turn, the last one's page is read", async () => {
  const state = aLongState("long3", "p1", 400);
  const other = await openOtherTab();
  await writeCachedPage("long3", "p1", state);
  const theirs = aState("long3", "p1", state.components.with(7, aLine("p1", 2)).toSpliced(200, 50));
  await other.writeCachedPage("long3", "p1", theirs);
  expect(await readCachedPage("long3", "p1")).toEqual(theirs);
  const ours = aState("long3", "p1", state.components.with(300, aLine("p1", 3)));
  await writeCachedPage("long3", "p1", ours);
  expect(await other.readCachedPage("long3", "p1")).toEqual(ours);
});

test("a write that fails leaves the page as it was, and the next one includes its changes", async () => {
  const state = aLongState("long4", "p1", 400);
  await writeCachedPage("long4", "p1", state);
  const changed = aState("long4", "p1", state.components.with(7, aLine("p1", 2)));
  const index = vi.spyOn(IDBIndex.prototype, "getAllKeys").mockImplementationOnce(function fail(this: IDBIndex) {
    this.objectStore.transaction.abort();
    throw new DOMException("The disk is full", "QuotaExceededError");
  });
  await expect(writeCachedPage("long4", "p1", changed)).rejects.toThrow();
  index.mockRestore();
  expect(await readCachedPage("long4", "p1")).toEqual(state);
  const later = aState("long4", "p1", changed.components.with(200, aLine("p1", 3)));
  await writeCachedPage("long4", "p1", later);
  expect(await readCachedPage("long4", "p1")).toEqual(later);
});

test("a long page that becomes short or is removed leaves nothing behind", async () => {
  const state = aLongState("long5", "p1", 300);
  await writeCachedPage("long5", "p1", state);
  await writeCachedPage("long5", "p10", aLongState("long5", "p10", 300));
  const short = aState("long5", "p1", state.components.slice(0, 3));
  await changeCachedPage("long5", "p1", () => short);
  expect(await readCachedPage("long5", "p1")).toEqual(short);
  await removeCachedPage("long5", "p1");
  expect((await readCachedPage("long5", "p10"))?.components).toHaveLength(300);
  await removeCachedPage("long5", "p10");
  expect(await listRows("long5")).toEqual([]);
});

test("a long page that an earlier version cached in one row is read, and written in parts", async () => {
  const state = aLongState("long6", "p1", 300);
  await listCachedPages("long6");
  const db = await openDB("lamplight");
  await db.put("pages", { accountId: "long6", pageId: "p1", keptAt: Date.now(), state });
  db.close();
  expect(await readCachedPage("long6", "p1")).toEqual(state);
  const changed = aState("long6", "p1", state.components.with(7, aLine("p1", 2)));
  await writeCachedPage("long6", "p1", changed);
  expect(await readCachedPage("long6", "p1")).toEqual(changed);
  expect((await listRows("long6")).length).toBeGreaterThan(1);
});
