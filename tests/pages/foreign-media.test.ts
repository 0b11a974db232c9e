import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { Component } from "#shared/pages/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aChange, aPage, send } from "#tests/store/changes.ts";

const CANARY = "http://canary.test/autovideo.mp4";

type FileType = "image" | "video";

function fileComponent(type: FileType, content: Record<string, unknown>, pageId: string) {
  const id = ulid();
  const whole = { file: { id: "x.mp4", name: "x" }, url: CANARY, thumbnail: CANARY, title: "x", ...content };
  const base = { _id: id, pageId, createdAt: 1, modifiedAt: 1, createdBy: "", lastOpenedAt: null, version: 1 };
  const component = { ...base, type, content: whole } as unknown as Component;
  return { id, data: { component, parentId: pageId } };
}

async function write(ada: TestUser, type: FileType, content: Record<string, unknown>) {
  const pageId = await aPage(ada);
  const { id, data } = fileComponent(type, content, pageId);
  await send(ada, aChange("component_create", id, data));
  return { id, pageId };
}

const addressOf = (component: Component | undefined) =>
  component?.type === "video" || component?.type === "image"
    ? [component.content.url, component.content.thumbnail]
    : [];

test.each([
  ["a stored video", "video", { file: { id: "x.mp4", name: "x" } }],
  ["a picture", "image", { file: { id: "x.mp4", name: "x" } }],
  [
    "a link to no web page",
    "video",
    { file: { id: "x.mp4", name: "x" }, videoType: "url", url: "javascript:alert(1)" },
  ],
] as const)(
  "%s gets an address of our server, whatever a client sent, on creation and change",
  async (_, type, content) => {
    const api = await startApi();
    const ada = await api.newUser();
    const { id, pageId } = await write(ada, type, content);
    const { share } = await ada.client.sharing.putShare({ type: "page", id: pageId });
    const shown = async () => {
      const { component } = await ada.client.pages.getComponent({ id });
      const { shared } = await api.clientFor().sharing.openShare({ share: share._id });
      return [addressOf(component), addressOf(shared.components[0])];
    };
    const own = [
      ["/v1/files/x.mp4", null],
      [`/v1/shared/${share._id}/files/x.mp4`, null],
    ];
    expect(await shown()).toEqual(own);
    const newContent = { file: { id: "x.mp4", name: "y" }, url: CANARY, thumbnail: CANARY, title: "y" };
    await send(ada, aChange("component_content_update", id, { newContent }, { baseVersion: 1 }));
    expect(await shown()).toEqual(own);
  },
);

test("an external video keeps its address, which is loaded only when played; YouTube addresses become YouTube videos", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const linked = await write(ada, "video", { file: { id: "link-1", name: "x" }, videoType: "url" });
  const youtube = await write(ada, "video", { file: { id: "youtube-abcdefghij1", name: "x" }, videoType: "youtube" });
  const read = async (id: string) => addressOf((await ada.client.pages.getComponent({ id })).component)[0];
  expect(await read(linked.id)).toBe(CANARY);
  expect(await read(youtube.id)).toBe("https://www.youtube.com/watch?v=abcdefghij1");
});

test("an address stored by an older version is corrected when read", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { id } = await write(ada, "video", {});
  const spec = { name: "components", shardKey: "ownerId" as const, indexes: [] };
  await api.deps.store
    .collection<{ _id: string; ownerId: string }>(spec)
    .patch({ _id: id }, { set: { "content.url": CANARY } });
  expect(addressOf((await ada.client.pages.getComponent({ id })).component)[0]).toBe("/v1/files/x.mp4");
});
