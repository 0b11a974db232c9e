import { ulid } from "ulid";
import { saveFile } from "#api/blobs/file-records.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { storeFileComponent, createPageForFile } from "#api/pages/uploaded-components.ts";
import type { TestApi, TestUser } from "#tests/kit/api.ts";

/** Stores a video file as an upload does. */
export async function aVideoFile({ deps }: TestApi, { userId }: TestUser, bytes: Uint8Array, name = "talk.mp4") {
  const own = ownedBy(deps.store, userId);
  const blob = await deps.blobs.receive(
    (async function* pieces() {
      yield bytes;
    })(),
    bytes.length,
  );
  await blob.commit();
  const fileId = `${ulid()}.${name.split(".").at(-1)}`;
  const plan = { type: "ULTIMATE", endAt: null, paused: false, pausedUntil: null } as const;
  const { settings, clock } = deps;
  const quota = { own, settings, clock, caller: { plan } };
  await saveFile(quota, {
    _id: fileId,
    blobKey: blob.key,
    name,
    mime: "video/mp4",
    sizeBytes: bytes.length,
    createdAt: 1,
  });
  const file = { id: fileId, name };
  const more = { isArchived: false, archivedAt: null, thumbnail: null, videoType: "file" as const };
  const componentId = ulid();
  const component = await storeFileComponent(own, {
    _id: componentId,
    pageId: await createPageForFile(own, { componentId, title: name, now: 1 }),
    type: "video",
    content: { ...more, file, url: `/v1/files/${fileId}`, title: name },
    createdAt: 1,
    modifiedAt: 1,
    createdBy: userId,
    lastOpenedAt: null,
    version: 1,
  });
  return { componentId, pageId: component.pageId, fileId, blobKey: blob.key };
}
