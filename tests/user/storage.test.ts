import { ulid } from "ulid";
import { expect, test } from "vitest";
import { sweepUploads } from "#api/uploads/sweep-uploads.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { aChange, aPage, send } from "#tests/store/changes.ts";

const MB = 1024 * 1024;
const DAY_MS = 86_400_000;
/** Ten megabytes, in gigabytes; used for every plan. */
const TEN_MB = String(10 / 1024);
const tenMegabytes = { STORAGE_GB_FREE: TEN_MB, STORAGE_GB_PLUS: TEN_MB, STORAGE_GB_ULTIMATE: TEN_MB };

/** The smallest PNG, padded with different bytes to this size. */
function aPicture(sizeBytes: number): Blob {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const bytes = Buffer.alloc(sizeBytes, ulid());
  Buffer.from(pixel, "base64").copy(bytes);
  return new Blob([bytes], { type: "image/png" });
}

async function upload(user: TestUser, pageId: string, sizeBytes: number): Promise<string> {
  const parts = [{ field: "file", file: aPicture(sizeBytes), name: "scan.png" }];
  return (await user.client.uploads.uploadImageComponent({ pageId }, parts)).component._id;
}

async function aStudent(
  env: Record<string, string> = tenMegabytes,
): Promise<{ api: TestApi; ada: TestUser; pageId: string }> {
  const api = await startApi({ env });
  const ada = await api.newUser();
  return { api, ada, pageId: await aPage(ada) };
}

const full = { code: "too_large", status: 413, reason: "storage_quota_reached" };

test("a file that doesn't fit into the plan's storage is refused with advice", async () => {
  const { ada, pageId } = await aStudent();
  await upload(ada, pageId, 6 * MB);
  const refusal = upload(ada, pageId, 6 * MB);
  await expect(refusal).rejects.toMatchObject({ ...full, data: { limit: "storage", usedBytes: 6 * MB } });
  await expect(refusal).rejects.toThrow("Your files take 6 MB of 10 MB. Delete files");
  await upload(ada, pageId, 3 * MB);
  expect(await ada.client.user.getStorage({})).toEqual({
    usedBytes: 9 * MB,
    limitBytes: 10 * MB,
    deletedBytes: 0,
  });
  expect((await ada.client.pages.getPage({ id: pageId })).components).toHaveLength(2);
});

test("of concurrent uploads, only those that fit together succeed", async () => {
  const { ada, pageId } = await aStudent();
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => upload(ada, pageId, 3 * MB)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(full);
  expect((await ada.client.user.getStorage({})).usedBytes).toBe(9 * MB);
});

test("a deleted file frees its space after 30 days, or at once on request", async () => {
  const { ada, pageId } = await aStudent();
  const [first, second] = [await upload(ada, pageId, 4 * MB), await upload(ada, pageId, 4 * MB)];
  await send(ada, aChange("component_delete", first, {}));
  expect(await ada.client.user.getStorage({})).toMatchObject({ usedBytes: 8 * MB, deletedBytes: 4 * MB });
  await expect(upload(ada, pageId, 4 * MB)).rejects.toMatchObject(full);
  expect(await ada.client.user.eraseDeletedFiles({})).toMatchObject({ usedBytes: 4 * MB, deletedBytes: 0 });
  await upload(ada, pageId, 4 * MB);
  const { components } = await ada.client.pages.getPage({ id: pageId });
  expect(components.map(({ _id }) => _id)).toContain(second);
  expect(components).toHaveLength(2);
});

test("erasing deleted files keeps deleted texts and other accounts' files", async () => {
  const { api, ada, pageId } = await aStudent();
  const eve = await api.newUser();
  const hers = await aPage(eve);
  const [mine, theirs] = [await upload(ada, pageId, MB), await upload(eve, hers, MB)];
  await send(ada, aChange("component_delete", mine, {}));
  await send(eve, aChange("component_delete", theirs, {}));
  await ada.client.user.eraseDeletedFiles({});
  expect(await eve.client.user.getStorage({})).toMatchObject({ usedBytes: MB, deletedBytes: MB });
});

test("an upload in pieces reserves its space at the start and frees it when cancelled or abandoned", async () => {
  const { api, ada, pageId } = await aStudent();
  const start = (componentId: string) =>
    ada.client.uploads.startUpload({
      componentId,
      pageId,
      family: "image",
      name: "scan.png",
      type: "image/png",
      sizeBytes: 6 * MB,
    });
  const [one, two] = [ulid(), ulid()];
  await start(one);
  await start(one);
  expect((await ada.client.user.getStorage({})).usedBytes).toBe(6 * MB);
  await expect(start(two)).rejects.toMatchObject(full);
  await ada.client.uploads.cancelUpload({ id: one });
  await start(two);

  api.clock.advance(8 * DAY_MS);
  await sweepUploads(api.deps);
  expect((await ada.client.user.getStorage({})).usedBytes).toBe(0);
});

test("copying a shared page counts towards the copier's storage, and one that doesn't fit copies nothing", async () => {
  const { api, ada, pageId } = await aStudent();
  const eve = await api.newUser();
  await upload(ada, pageId, 4 * MB);
  await upload(ada, pageId, 4 * MB);
  await ada.client.sharing.putShare({ type: "page", id: pageId });
  await upload(eve, await aPage(eve), 3 * MB);
  await expect(eve.client.sharing.duplicatePage({ id: pageId })).rejects.toMatchObject(full);
  expect((await eve.client.user.getStorage({})).usedBytes).toBe(3 * MB);
  expect((await eve.client.pages.getContent({})).content.pages).toHaveLength(1);
});

test("a counter left too high by a crash is corrected before a file is refused", async () => {
  const { api, ada, pageId } = await aStudent();
  await upload(ada, pageId, MB);
  await api.deps.store
    .collection<{ _id: string; usedBytes: number }>({ name: "storage_usage", shardKey: "_id", indexes: [] })
    .patch({ _id: ada.userId }, { increment: { usedBytes: 9 * MB } });
  await expect(upload(ada, pageId, 2 * MB)).rejects.toMatchObject(full);
  api.clock.advance(2 * 60 * 60_000);
  await upload(ada, pageId, 2 * MB);
  expect((await ada.client.user.getStorage({})).usedBytes).toBe(3 * MB);
});

test("while the disk is nearly full, files are refused and everything else works", async () => {
  const { ada, pageId } = await aStudent({ FREE_DISK_FLOOR_GB: "1000000000" });
  await expect(upload(ada, pageId, MB)).rejects.toMatchObject({
    code: "storage_full",
    status: 507,
    reason: "disk_floor_reached",
  });
  const file = { name: "a.png", type: "image/png", size: 2, base64: "Qk0=" };
  const { failed } = await ada.client.sync.sendChanges({
    payload: [aChange("component_image_upload", ulid(), { pageId, file })],
  });
  expect(failed).toMatchObject([{ code: "storage_full", retriable: true }]);
  await aPage(ada, "Goes on");
});
