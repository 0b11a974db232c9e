import { ulid } from "ulid";
import { expect, test } from "vitest";
import { appendCards } from "#api/pages/create/append-cards.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { aPicture } from "#tests/kit/files.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, aText, deckContent, textContent } from "#tests/store/changes.ts";

const DAY_MS = 86_400_000;

async function aStudent() {
  const api = await startApi();
  const [ann, bob] = [await api.newUser(), await api.newUser()];
  return { api, ann, bob, pageId: await aPage(ann) };
}

const update = ({ client }: TestUser, id: string, text: string, baseVersion: number) =>
  client.sync.sendChanges({
    payload: [aChange("component_content_update", id, { newContent: textContent(text) }, { baseVersion })],
  });

const aPng = () => {
  const head = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1,
  ];
  return {
    field: "file",
    file: new Blob([new Uint8Array([...head, 8, 6, 0, 0, 0])], { type: "image/png" }),
    name: "cell.png",
  };
};

test("lists all of a student's content as metadata only, without text and cards", async () => {
  const { ann, bob, pageId } = await aStudent();
  const below = ulid();
  await ann.client.sync.sendChanges({ payload: [aChange("page_create", below, { parent: pageId, createdAt: 1 })] });
  const text = await aText(ann, pageId, "a secret text");
  const deck = await aDeck(ann, pageId, [aCard("a", "a secret question")]);
  const { content } = await ann.client.pages.getContent({});
  expect(JSON.stringify(content)).not.toContain("secret");
  expect(content.pages.find((p) => p._id === pageId)).toMatchObject({ components: [text, deck], children: [below] });
  expect(content.components.toSorted((a, b) => (a.type < b.type ? 1 : -1))).toMatchObject([
    { _id: text, type: "text", pageId },
    { _id: deck, type: "flash_cards", title: "Genes", cardCount: 1 },
  ]);
  expect((await bob.client.pages.getContent({})).content).toEqual({
    pages: [],
    components: [],
    podcasts: [],
    research_sessions: [],
  });
});

test("a page lists its first deck, when that deck was opened, and whether the page has only decks", async () => {
  const { api, ann, pageId } = await aStudent();
  const deck = await aDeck(ann, pageId, [aCard("a", "What is a gene?")]);
  api.clock.advance(DAY_MS);
  await ann.client.pages.markRecentlyOpened({ id: deck });
  const { lastOpenedAt } = (await ann.client.pages.getComponent({ id: deck })).component;
  expect(lastOpenedAt).toEqual(expect.any(Number));
  const alone = { isFlashcardPage: true, flashcardTitle: "Genes", flashcardLastOpenedAt: lastOpenedAt };
  expect((await ann.client.pages.getPage({ id: pageId })).page).toMatchObject(alone);
  await aText(ann, pageId, "Notes");
  const { content } = await ann.client.pages.getContent({});
  expect(content.pages).toMatchObject([{ ...alone, isFlashcardPage: false }]);
});

test("unchanged content is answered with 304 and no body", async () => {
  const { api, ann, pageId } = await aStudent();
  const ask = (etag?: string) =>
    fetch(`${api.origin}/v1/auth/get_content`, {
      headers: { authorization: `Bearer ${ann.token}`, ...(etag ? { "if-none-match": etag } : {}) },
    });
  const etag = (await ask()).headers.get("etag") ?? "";
  expect(etag).not.toBe("");
  expect((await ask(etag)).status).toBe(304);
  await aText(ann, pageId, "new");
  expect((await ask(etag)).status).toBe(200);
});

test("a page is returned with its components, and a component alone", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  const { components } = await ann.client.pages.listComponents({ id: pageId });
  expect(components).toMatchObject([{ _id: id, pageId, version: 1, createdBy: ann.userId }]);
  expect((await ann.client.pages.getPage({ id: pageId })).components).toEqual(components);
  expect((await ann.client.pages.getComponent({ id })).component).toEqual(components[0]);
});

test("the name of an uploaded file is returned, and a text has no name", async () => {
  const { ann, pageId } = await aStudent();
  const { component } = await ann.client.uploads.uploadImageComponent({ pageId }, [aPng()]);
  expect(await ann.client.pages.getFileName({ id: component._id })).toEqual({ fileName: "cell.png" });
  expect((await ann.client.pages.getPage({ id: pageId })).page.components).toEqual([component._id]);
  const text = await aText(ann, pageId, "one");
  await expect(ann.client.pages.getFileName({ id: text })).rejects.toMatchObject({ code: "not_found" });
});

test("a file from the offline queue is uploaded once, and its position is returned", async () => {
  const { ann, pageId } = await aStudent();
  const { file, name } = aPng();
  const id = ulid();
  const base64 = Buffer.from(await file.arrayBuffer()).toString("base64");
  const request = aChange("component_image_upload", id, {
    pageId,
    file: { name, type: file.type, size: file.size, base64 },
  });
  const first = await ann.client.sync.sendChanges({ payload: [request] });
  const again = await ann.client.sync.sendChanges({ payload: [request] });
  expect(first.parcels).toMatchObject([
    { requestId: request.id, componentId: id, location: expect.stringMatching(/^\/v1\/files\//) },
  ]);
  expect(again.parcels).toEqual(first.parcels);
  expect((await ann.client.pages.getPage({ id: pageId })).page.components).toEqual([id]);
});

test("opening a component is recorded with the server's time, except in its first four seconds", async () => {
  const { api, ann, pageId } = await aStudent();
  const { componentId } = await aPicture(ann, pageId);
  api.clock.advance(3999);
  await ann.client.pages.markRecentlyOpened({ id: componentId });
  expect((await ann.client.pages.getComponent({ id: componentId })).component.lastOpenedAt).toBeNull();
  api.clock.advance(1);
  await ann.client.pages.markRecentlyOpened({ id: componentId });
  expect((await ann.client.pages.getComponent({ id: componentId })).component.lastOpenedAt).toBe(api.clock.now());
  const id = await aText(ann, pageId, "one");
  await ann.client.pages.markRecentlyOpened({ id });
  expect((await ann.client.pages.getComponent({ id })).component.lastOpenedAt).toBe(api.clock.now());
});

test("earlier texts can be restored for 30 days, and the current text goes into the history", async () => {
  const { api, ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  await update(ann, id, "two", 1);
  const { versions } = await ann.client.pages.listHistory({ id });
  expect(versions).toMatchObject([{ reason: "replaced", content: textContent("one"), version: 1 }]);
  const versionId = versions[0]?._id ?? "";
  const { component } = await ann.client.pages.restoreVersion({ id, versionId });
  expect(component).toMatchObject({ content: textContent("one"), version: 3 });
  const after = await ann.client.pages.listHistory({ id });
  expect(after.versions.map((v) => [v.reason, v.content])).toContainEqual(["restored", textContent("two")]);
  api.clock.advance(30 * DAY_MS + 1);
  expect((await ann.client.pages.listHistory({ id })).versions).toEqual([]);
});

test("texts replaced at the same moment are listed latest first", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "text 0");
  for (let n = 1; n < 8; n += 1) await update(ann, id, `text ${n}`, n);
  const { versions } = await ann.client.pages.listHistory({ id });
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, i) => (versions[0]?.version ?? 0) - i));
  expect(versions.length).toBeGreaterThan(0);
});

test("a page's history lists earlier texts of all its current and former components, for its owner only", async () => {
  const { ann, bob, pageId } = await aStudent();
  const [changed, deleted] = [await aText(ann, pageId, "one"), await aText(ann, pageId, "gone")];
  await update(ann, changed, "two", 1);
  await ann.client.sync.sendChanges({ payload: [aChange("component_delete", deleted, {})] });
  const { entries } = await ann.client.pages.listPageHistory({ id: pageId });
  expect(entries.map(({ words, reason, isDeleted }) => [words, reason, isDeleted])).toEqual(
    expect.arrayContaining([
      ["one", "replaced", false],
      ["gone", "deleted", true],
    ]),
  );
  await expect(bob.client.pages.listPageHistory({ id: pageId })).rejects.toMatchObject({ code: "not_found" });
});

test("a deck deleted on its own is listed as deleted until it is restored", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aDeck(ann, pageId, [aCard("a")]);
  const listed = async () => (await ann.client.pages.getContent({})).content.components;
  await ann.client.sync.sendChanges({ payload: [aChange("component_delete", id, { pageId })] });
  expect(await listed()).toMatchObject([{ _id: id, type: "flash_cards", title: "Genes", isArchived: true }]);
  expect((await ann.client.pages.getPage({ id: pageId })).components).toEqual([]);
  const { versions } = await ann.client.pages.listHistory({ id });
  await ann.client.pages.restoreVersion({ id, versionId: versions[0]?._id ?? "" });
  expect(await listed()).toMatchObject([{ _id: id, isArchived: false, cardCount: 1 }]);
});

test("a deleted component can be restored from its history", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  await ann.client.sync.sendChanges({ payload: [aChange("component_delete", id, {})] });
  const { versions } = await ann.client.pages.listHistory({ id });
  await ann.client.pages.restoreVersion({ id, versionId: versions[0]?._id ?? "" });
  expect((await ann.client.pages.getPage({ id: pageId })).components).toMatchObject([{ content: textContent("one") }]);
});

type ReadCall = (user: TestUser, ids: { page: string; component: string; version: string }) => Promise<unknown>;
const readCalls: Record<string, ReadCall> = {
  getPage: ({ client }, { page }) => client.pages.getPage({ id: page }),
  listComponents: ({ client }, { page }) => client.pages.listComponents({ id: page }),
  getComponent: ({ client }, { component }) => client.pages.getComponent({ id: component }),
  getFileName: ({ client }, { component }) => client.pages.getFileName({ id: component }),
  markRecentlyOpened: ({ client }, { component }) => client.pages.markRecentlyOpened({ id: component }),
  listHistory: ({ client }, { component }) => client.pages.listHistory({ id: component }),
  restoreVersion: ({ client }, { component, version }) =>
    client.pages.restoreVersion({ id: component, versionId: version }),
};

test.each(Object.entries(readCalls))("%s answers the same for missing data and another account's", async (_, call) => {
  const { ann, bob, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  await update(ann, id, "two", 1);
  const version = (await ann.client.pages.listHistory({ id })).versions[0]?._id ?? "";
  const answerOf = async (ids: Parameters<ReadCall>[1]) =>
    call(bob, ids).then(
      () => "answered",
      (f: { code: string; message: string }) => [f.code, f.message],
    );
  const forbidden = await answerOf({ page: pageId, component: id, version });
  expect(forbidden).toEqual(await answerOf({ page: ulid(), component: ulid(), version: ulid() }));
  expect(forbidden).toMatchObject(["not_found", /.+/].map((_part, i) => (forbidden as string[])[i]));
  expect(forbidden).not.toBe("answered");
  expect((await ann.client.pages.getComponent({ id })).component).toMatchObject({ content: textContent("two") });
});

const ownOf = ({ deps }: TestApi, { userId }: TestUser) => ownedBy(deps.store, userId);

test("generated cards are added to a deck once, beside the student's own edits", async () => {
  const { api, ann, pageId } = await aStudent();
  const id = await aDeck(ann, pageId, [aCard("mine")]);
  const add = (...cards: string[]) =>
    appendCards(
      ownOf(api, ann),
      id,
      cards.map((c) => aCard(c)),
      { generationId: "job", now: 1 },
    );
  expect(await add("x", "y")).toEqual({ version: 2, cardCount: 3 });
  expect(await add("x", "y")).toEqual({ version: 2, cardCount: 3 });
  const edit = deckContent([aCard("mine", "edited meanwhile")]);
  await ann.client.sync.sendChanges({
    payload: [aChange("component_content_update", id, { newContent: edit }, { baseVersion: 1 })],
  });
  await Promise.all(["a", "b", "c", "d"].map((card) => add(card)));
  const { component } = await ann.client.pages.getComponent({ id });
  if (component.type !== "flash_cards") throw new Error("not a deck");
  expect(component.content.cards[0]).toMatchObject({ question: "edited meanwhile" });
  expect(component.content.cards.map((c) => c.id).toSorted()).toEqual(["a", "b", "c", "d", "mine", "x", "y"]);
});

test("a generated card that the student removed doesn't return when the generation resumes", async () => {
  const { api, ann, pageId } = await aStudent();
  const id = await aDeck(ann, pageId, []);
  const add = (generationId: string) => appendCards(ownOf(api, ann), id, [aCard("x")], { generationId, now: 1 });
  await add("job");
  await ann.client.sync.sendChanges({
    payload: [aChange("component_content_update", id, { newContent: deckContent([]) }, { baseVersion: 2 })],
  });
  expect(await add("job again")).toMatchObject({ cardCount: 0 });
  await expect(
    add("job").then(() => appendCards(ownOf(api, ann), ulid(), [], { generationId: "j", now: 1 })),
  ).rejects.toMatchObject({
    code: "not_found",
  });
});
