import { ulid } from "ulid";
import { expect, test } from "vitest";
import { saveSourceText } from "#api/flashcards/store.ts";
import { eraseOldEvents } from "#api/feedback/store.ts";
import { eraseDeleted } from "#api/library/erase-deleted.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { OwnedDoc } from "#api/store/port.ts";
import { sumStoredBytes } from "#api/blobs/file-records.ts";
import { findReading } from "#api/pdf/store.ts";
import { sweepUploads } from "#api/uploads/sweep-uploads.ts";
import { type TestApi, type TestUser, startApi } from "#tests/kit/api.ts";
import { searchIndexed } from "#tests/kit/search-indexed.ts";
import { aChange, anAnnotation, aPage, aText, send, textComponent } from "#tests/store/changes.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { aPdf } from "#tests/kit/files.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";

const DAY_MS = 86_400_000;
/** File times come from the machine's clock, so the clock of these tests starts at its time. */
const aWorld = () => startApi({ clock: fakeClock(Date.now() + 1000) });

async function aReadPdf(user: TestUser, pageId: string): Promise<string> {
  const id = await aPdf(user, pageId, "Osmosis is the movement of water across a membrane.");
  await user.client.pdf.getPassages({ id });
  return id;
}

async function keysOf({ deps }: TestApi): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of deps.blobs.list()) keys.push(key);
  return keys;
}

const countFound = async (user: TestUser) => (await searchIndexed(user, { q: "osmosis" })).found.length;

test("a deleted file can be restored for thirty days, then it is erased with all data extracted from it", async () => {
  const api = await aWorld();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const id = await aReadPdf(ada, pageId);
  expect(await countFound(ada)).toBe(1);
  const blobKey = (await keysOf(api))[0] ?? "";
  await send(ada, aChange("component_delete", id, {}));
  api.clock.advance(29 * DAY_MS);
  expect(await eraseDeleted(api.deps)).toBe(0);
  api.clock.advance(2 * DAY_MS);
  expect(await eraseDeleted(api.deps)).toBe(1);
  expect(await eraseDeleted(api.deps)).toBe(0);
  expect(await countFound(ada)).toBe(0);
  expect((await api.deps.index.versions(ada.userId)).size).toBe(0);
  await sweepUploads(api.deps);
  expect(await keysOf(api)).toEqual([]);
  expect(await findReading(ownedBy(api.deps.store, ada.userId), { blobKey, kind: "pdf" })).toBeUndefined();
});

test("erasing a deleted page keeps identical files of other pages and accounts", async () => {
  const api = await aWorld();
  const [ada, eve] = [await api.newUser({ plan: "PLUS" }), await api.newUser()];
  const [deleted, remaining] = [await aPage(ada), await aPage(ada)];
  await aReadPdf(ada, deleted);
  const other = await aReadPdf(ada, remaining);
  const hers = await aReadPdf(eve, await aPage(eve));
  await send(ada, aChange("page_delete", deleted, {}));
  api.clock.advance(31 * DAY_MS);
  expect(await eraseDeleted(api.deps)).toBe(1);
  await sweepUploads(api.deps);
  expect(await keysOf(api)).toHaveLength(1);
  expect((await ada.client.pdf.getPassages({ id: other })).passages).toHaveLength(1);
  expect((await eve.client.pdf.getPassages({ id: hers })).passages).toHaveLength(1);
  expect([await countFound(ada), await countFound(eve)]).toEqual([1, 1]);
});

test.each(["files.remove", "components.remove"])(
  "an erasure that ends before %s is completed by the next one, so that the file's space is free",
  async (end) => {
    const api = await aWorld();
    const ada = await api.newUser();
    const id = await aReadPdf(ada, await aPage(ada));
    const blobKey = (await keysOf(api))[0] ?? "";
    await send(ada, aChange("component_delete", id, {}));
    api.clock.advance(31 * DAY_MS);
    let ends = 1;
    beforeStoreCall(api.deps.store, (call) => {
      if (call === end && ends-- > 0) throw new Error("the process ended");
    });
    await expect(eraseDeleted(api.deps)).rejects.toThrow("the process ended");
    expect(await eraseDeleted(api.deps)).toBe(1);
    const own = ownedBy(api.deps.store, ada.userId);
    expect(await sumStoredBytes(own)).toBe(0);
    expect(await findReading(own, { blobKey, kind: "pdf" })).toBeUndefined();
  },
);

test("a file that cannot be erased does not stop the erasing of other files and folders", async () => {
  const api = await aWorld();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const users = [ada, eve] as const;
  for (const user of users) {
    const id = await aReadPdf(user, await aPage(user));
    const folder = aChange("folder_create", ulid(), { title: "Biology", color: "GREEN", createdAt: 1 });
    await send(user, folder, aChange("folder_delete", folder.resourceId, {}), aChange("component_delete", id, {}));
  }
  api.clock.advance(31 * DAY_MS);
  const { index } = api.deps;
  const remove = index.remove.bind(index);
  let failing: string | undefined;
  index.remove = async (ownerId, sources) => {
    failing ??= ownerId;
    if (ownerId === failing) throw new Error("the index is damaged");
    return remove(ownerId, sources);
  };
  await expect(eraseDeleted(api.deps)).rejects.toThrow("the index is damaged");
  const countBoth = async (name: string) => [await countOf(api, ada, name), await countOf(api, eve, name)];
  expect((await countBoth("files")).toSorted((a, b) => a - b)).toEqual([0, 1]);
  expect(await countBoth("folders")).toEqual([0, 0]);
});

test("what the student restores while others are erased stays, whether it was deleted with its page or not", async () => {
  const api = await aWorld();
  const ada = await api.newUser();
  const page = await aPage(ada);
  const [first, second] = [await aText(ada, page, "One."), await aText(ada, page, "Two.")];
  const other = await aPage(ada);
  const third = await aText(ada, other, "Three.");
  const deletions = [aChange("component_delete", first, {}), aChange("component_delete", second, {})];
  await send(ada, ...deletions, aChange("page_delete", other, {}));
  api.clock.advance(31 * DAY_MS);
  const { index } = api.deps;
  const remove = index.remove.bind(index);
  let isFirst = true;
  index.remove = async (...sent) => {
    if (isFirst) {
      isFirst = false;
      await send(ada, aChange("component_create", second, textComponent(second, page, "Two.")));
      await send(ada, aChange("page_create", other, { title: "Other", createdAt: 1 }));
    }
    return remove(...sent);
  };
  expect(await eraseDeleted(api.deps)).toBe(1);
  const idsOn = async (id: string) => (await ada.client.pages.getPage({ id })).components.map(({ _id }) => _id);
  expect([await idsOn(page), await idsOn(other)]).toEqual([[second], [third]]);
});

/** How many documents of a collection an account has. */
const countOf = ({ deps }: TestApi, { userId }: TestUser, name: string) =>
  deps.store.collection<OwnedDoc>({ name, shardKey: "ownerId", indexes: [] }).count({ ownerId: userId });

test("deleted folders and highlights are erased after thirty days, and those that are not deleted stay", async () => {
  const api = await aWorld();
  const ada = await api.newUser();
  const document = await aReadPdf(ada, await aPage(ada));
  const [deleted, remaining] = [ulid(), ulid()];
  for (const id of [deleted, remaining])
    await send(
      ada,
      aChange("folder_create", `folder-${id}`, { title: "Biology", color: "GREEN", createdAt: 1 }),
      aChange("annotation_put", id, { annotation: anAnnotation(id, document) }),
    );
  await send(ada, aChange("folder_delete", `folder-${deleted}`, {}), aChange("annotation_delete", deleted, {}));
  const counts = async () => [await countOf(api, ada, "folders"), await countOf(api, ada, "annotations")];
  api.clock.advance(29 * DAY_MS);
  await eraseDeleted(api.deps);
  expect(await counts()).toEqual([2, 2]);
  api.clock.advance(2 * DAY_MS);
  await eraseDeleted(api.deps);
  expect(await counts()).toEqual([1, 1]);
  expect((await ada.client.pdf.listAnnotations({ id: document })).annotations.map(({ _id }) => _id)).toEqual([
    remaining,
  ]);
});

test("a folder deleted in the app can be restored for thirty days, then it is erased without what is in it", async () => {
  const api = await aWorld();
  const ada = await api.newUser();
  const page = await aPage(ada);
  const [deleted, restored, inside] = [ulid(), ulid(), ulid()];
  const items = [
    { item_id: page, item_type: "page" as const, created_at: 1 },
    { item_id: inside, item_type: "folder" as const, created_at: 1 },
  ];
  for (const id of [inside, deleted, restored])
    await send(ada, aChange("folder_create", id, { title: "Biology", color: "GREEN", createdAt: 1 }));
  await send(ada, aChange("folder_update", deleted, { items }));
  for (const id of [deleted, restored]) await send(ada, aChange("folder_update", id, { is_archived: true }));
  const listIds = async () => (await ada.client.library.listFolders({})).folders.map(({ _id }) => _id).toSorted();
  api.clock.advance(29 * DAY_MS);
  await eraseDeleted(api.deps);
  expect(await listIds()).toEqual([deleted, restored, inside].toSorted());
  await send(ada, aChange("folder_update", restored, { is_archived: false }));
  api.clock.advance(2 * DAY_MS);
  await eraseDeleted(api.deps);
  expect(await listIds()).toEqual([restored, inside].toSorted());
  expect((await ada.client.pages.getPage({ id: page })).page._id).toBe(page);
});

test("the text of a generation that never ended is erased after seven days, and events after thirty", async () => {
  const api = await aWorld();
  const ada = await api.newUser();
  const { client } = ada;
  const own = ownedBy(api.deps.store, ada.userId);
  await saveSourceText(own, { _id: "text", jobKey: "gone", text: "Osmosis", createdAt: api.clock.now() });
  await client.user.savePreferences({ analytics: { enabled: true } });
  await client.feedback.sendEvents({ events: [{ name: "alert_error", at: 1, detail: "" }] });
  const counts = async () => [await countOf(api, ada, "generation_texts"), await countOf(api, ada, "analytics_events")];
  const eraseAfter = async (days: number) => {
    api.clock.advance(days * DAY_MS);
    await eraseDeleted(api.deps);
    await eraseOldEvents(api.deps.store, api.clock.now());
    return counts();
  };
  expect(await eraseAfter(6)).toEqual([1, 1]);
  expect(await eraseAfter(2)).toEqual([0, 1]);
  expect(await eraseAfter(23)).toEqual([0, 0]);
});
