import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ulid } from "ulid";
import { expect, onTestFinished, test } from "vitest";
import type { Component } from "#shared/pages/schema.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send, textComponent } from "#tests/store/changes.ts";
import { aPicture } from "#tests/kit/files.ts";

/** A page with a text, a picture and a deck whose only card cites the picture and another page. */
async function aSharedPage(owner: TestUser, title = "Cells") {
  const pageId = await aPage(owner, title);
  const textId = ulid();
  const text = textComponent(textId, pageId, "The cell is the unit of life.");
  await send(owner, aChange("component_create", textId, text));
  const { componentId, fileId } = await aPicture(owner, pageId);
  const cards = [
    { ...aCard("here"), citation: `pdf_citation:${componentId}:1:unit` },
    { ...aCard("elsewhere"), citation: `page_citation:${ulid()}:${ulid()}:secret` },
  ];
  const deckId = await aDeck(owner, pageId, cards);
  const { share } = await owner.client.sharing.putShare({ type: "page", id: pageId });
  return { pageId, textId, componentId, fileId, deckId, share };
}

const deckIn = (components: readonly Component[]) => {
  const deck = components.find(({ type }) => type === "flash_cards");
  if (deck?.type !== "flash_cards") throw new Error("there is no deck");
  return deck;
};

test("a shared page can be seen signed out with its files, and reveals nothing else of its owner", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { share, fileId, pageId, componentId } = await aSharedPage(ada);
  const anyone = api.clientFor();
  const { shared } = await anyone.sharing.openShare({ share: share._id });
  expect(shared).toMatchObject({ type: "page", title: "Cells", targetId: pageId });
  expect(shared.components.map(({ type }) => type)).toEqual(["text", "image", "flash_cards"]);
  const sent = JSON.stringify(shared);
  expect(sent).not.toContain(ada.userId);
  expect(sent).not.toContain("secret");
  expect(deckIn(shared.components).content.cards.map(({ citation }) => citation)).toEqual([
    `pdf_citation:${componentId}:1:unit`,
    null,
  ]);
  const file = await fetch(`${api.origin}/v1/shared/${share._id}/files/${fileId}`);
  expect([file.status, (await file.arrayBuffer()).byteLength > 10]).toEqual([200, true]);
  expect((await fetch(`${api.origin}/v1/files/${fileId}`)).status).toBe(401);
});

test("a link opens only the files of its own content, not others of the same owner", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { share } = await aSharedPage(ada);
  const { fileId } = await aPicture(ada, await aPage(ada, "Private"));
  expect((await fetch(`${api.origin}/v1/shared/${share._id}/files/${fileId}`)).status).toBe(404);
});

test("content made private, archived or deleted no longer opens, and sharing again creates another link", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const anyone = api.clientFor();
  const { share, pageId } = await aSharedPage(ada);
  const opens = () => anyone.sharing.openShare({ share: share._id });
  await send(ada, aChange("page_update", pageId, { archived: true }));
  await expect(opens()).rejects.toMatchObject({ code: "not_found" });
  await send(ada, aChange("page_update", pageId, { archived: false }));
  await opens();
  await ada.client.sharing.endShare({ type: "page", id: pageId });
  await expect(opens()).rejects.toMatchObject({ code: "not_found" });
  const again = await ada.client.sharing.putShare({ type: "page", id: pageId });
  expect(again.share._id).not.toBe(share._id);
});

test("only owners can share, and sharing twice keeps the link", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const { pageId, share } = await aSharedPage(ada);
  await aDeck(ada, pageId, [aCard("later"), aCard("last"), aCard("end")]);
  await expect(eve.client.sharing.putShare({ type: "page", id: pageId })).rejects.toMatchObject({ code: "not_found" });
  await expect(eve.client.sharing.getShare({ type: "page", id: pageId })).rejects.toMatchObject({ code: "not_found" });
  await eve.client.sharing.endShare({ type: "page", id: pageId });
  const listed = await ada.client.sharing.putShare({
    type: "page",
    id: pageId,
    visibility: "listed",
    topic: "biology",
  });
  expect(listed.share).toMatchObject({ _id: share._id, visibility: "listed", topic: "biology", licence: "none" });
  const licensed = { licence: "cc_by_sa", attribution: "A. Author: Cells, example.org" } as const;
  await ada.client.sharing.putShare({ type: "page", id: pageId, visibility: "listed", ...licensed });
  const anyone = api.clientFor();
  expect((await anyone.sharing.openShare({ share: share._id })).shared).toMatchObject(licensed);
  const [item] = (await anyone.sharing.explore({})).items;
  expect(item).toMatchObject(licensed);
  // The preview shows the first words, the first questions and the number of cards.
  expect(item?.excerpt).toEqual({
    text: expect.stringContaining("The cell is the unit of life."),
    samples: [
      { question: "here?", answer: "the answer to here" },
      { question: "elsewhere?", answer: "the answer to elsewhere" },
    ],
    cards: 5,
    // The text has too few words to detect a language.
    language: null,
  });
});

test("a visitor's view counts once in half an hour, the owner's never; a copy counts once", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const { pageId } = await aSharedPage(ada);
  const seen = { type: "page" as const, id: pageId };
  const counts = async () => {
    const { share } = await ada.client.sharing.getShare(seen);
    return [share?.views, share?.duplicates];
  };
  await ada.client.sharing.recordView(seen);
  expect(await counts()).toEqual([0, 0]);
  await eve.client.sharing.recordView(seen);
  await eve.client.sharing.recordView(seen);
  expect(await counts()).toEqual([1, 0]);
  // Students behind one IP address: each account counts as a separate visitor.
  const kim = await api.newUser();
  await kim.client.sharing.recordView(seen);
  expect(await counts()).toEqual([2, 0]);
  api.clock.advance(31 * 60_000);
  await eve.client.sharing.recordView(seen);
  const { page } = await eve.client.sharing.duplicatePage({ id: pageId });
  await eve.client.sharing.recordDuplicate({ ...seen, resultContentId: page._id });
  await eve.client.sharing.recordDuplicate({ ...seen, resultContentId: page._id });
  expect(await counts()).toEqual([3, 1]);
  const made = eve.client.sharing.recordDuplicate({ ...seen, resultContentId: "no-such-page-of-mine" });
  await expect(made).rejects.toMatchObject({ code: "not_found" });
});

test("a copy of a shared page is complete, belongs to the copier and survives the end of sharing", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const { pageId, deckId, componentId, fileId } = await aSharedPage(ada);
  const copyId = ulid();
  const made = await eve.client.sharing.duplicatePage({ id: pageId, copyId });
  const repeated = await eve.client.sharing.duplicatePage({ id: pageId, copyId });
  expect(repeated).toEqual(made);
  await ada.client.sharing.endShare({ type: "page", id: pageId });
  const { page, components } = await eve.client.pages.getPage({ id: copyId });
  expect(page).toMatchObject({ title: "Cells", ownedBy: eve.userId });
  expect(components.map(({ type }) => type)).toEqual(["text", "image", "flash_cards"]);
  const ids = components.map(({ _id }) => _id);
  expect(ids).not.toContain(deckId);
  const sent = JSON.stringify(components);
  for (const id of [ada.userId, componentId, fileId]) expect(sent).not.toContain(id);
  const deck = deckIn(components);
  expect(deck.content.cards.map(({ id }) => id)).not.toContain("here");
  expect(deck.content.cards[0]?.citation).toBe(`pdf_citation:${ids[1]}:1:unit`);
  const picture = components[1];
  if (picture?.type !== "image") throw new Error("there is no picture");
  const headers = { authorization: `Bearer ${eve.token}` };
  expect((await fetch(`${api.origin}${picture.content.url}`, { headers })).status).toBe(200);
  await expect(eve.client.sharing.duplicatePage({ id: pageId })).rejects.toMatchObject({ code: "not_found" });
});

test("a shared deck is copied onto its own page; other components can't be shared as decks", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const { deckId, componentId } = await aSharedPage(ada);
  const type = "component_flashcards";
  await expect(eve.client.sharing.duplicateComponent({ type, id: deckId })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(ada.client.sharing.putShare({ type, id: componentId })).rejects.toMatchObject({ code: "not_found" });
  await ada.client.sharing.putShare({ type, id: deckId });
  const { component } = await eve.client.sharing.duplicateComponent({ type, id: deckId });
  expect(deckIn([component]).content.cards).toHaveLength(2);
  const { page } = await eve.client.pages.getPage({ id: component.pageId });
  expect(page.title).toBe("Genes");
});

test("only listed content can be explored, by topic, by words and page by page", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const anyone = api.clientFor();
  await aSharedPage(ada, "Unlisted mitosis");
  for (const [title, topic] of [
    ["Mitosis and meiosis", "biology"],
    ["The French revolution", "history"],
  ] as const) {
    const { pageId } = await aSharedPage(ada, title);
    api.clock.advance(1000);
    await ada.client.sharing.putShare({ type: "page", id: pageId, visibility: "listed", topic });
  }
  const titles = async (wanted: Parameters<typeof anyone.sharing.explore>[0]) =>
    (await anyone.sharing.explore(wanted)).items.map(({ title }) => title);
  expect((await titles({})).toSorted()).toEqual(["Mitosis and meiosis", "The French revolution"]);
  expect(await titles({ topic: "history" })).toEqual(["The French revolution"]);
  expect(await titles({ q: "mitosis" })).toEqual(["Mitosis and meiosis"]);
  expect(await titles({ q: "mitosis", topic: "history" })).toEqual([]);
  const all = await anyone.sharing.explore({});
  // Unlisted content does not appear under a topic.
  expect(all.topics).toEqual(["biology", "history"]);
  expect((await anyone.sharing.explore({ before: api.clock.now() })).topics).toEqual([]);
  expect(JSON.stringify(all)).not.toContain(ada.userId);
});

const listedTitles = async (from: TestApi, q: string) =>
  (await from.clientFor().sharing.explore({ q })).items.map(({ title }) => title);

test("listed content is found by its current title, also after the index was lost, and not once private or deleted", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "lamplight-listed-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const api = await startApi({ dataDir });
  const ada = await api.newUser();
  const [listed, ended] = [await aSharedPage(ada, "Mitosis"), await aSharedPage(ada, "Meiosis")];
  for (const { pageId } of [listed, ended])
    await ada.client.sharing.putShare({ type: "page", id: pageId, visibility: "listed" });
  expect(await listedTitles(api, "mitosis meiosis")).toHaveLength(2);
  await send(ada, aChange("page_update", listed.pageId, { title: "Cytokinesis" }));
  await api.clientFor().sharing.openShare({ share: listed.share._id });
  expect([await listedTitles(api, "cytokinesis"), await listedTitles(api, "mitosis")]).toEqual([["Cytokinesis"], []]);
  await ada.client.sharing.endShare({ type: "page", id: ended.pageId });
  expect(await listedTitles(api, "meiosis")).toEqual([]);
  await api.deps.index.removeOwner("explore");
  await api.stop();
  const later = await startApi({ dataDir });
  expect(await listedTitles(later, "cytokinesis")).toEqual(["Cytokinesis"]);
  const again = { client: later.clientFor(ada.token) };
  await send(again, aChange("page_update", listed.pageId, { archived: true }));
  expect(await listedTitles(later, "cytokinesis")).toEqual([]);
  await send(again, aChange("page_update", listed.pageId, { archived: false }));
  expect(await listedTitles(later, "cytokinesis")).toEqual(["Cytokinesis"]);
});

test("anyone can report shared content; only an administrator can take it down for good", async () => {
  const api = await startApi();
  // The first account of a server is the administrator.
  const [root, ada] = [await api.newUser(), await api.newUser()];
  const anyone = api.clientFor();
  const { share, pageId } = await aSharedPage(ada);
  await anyone.sharing.reportShare({ share: share._id, reason: "copyright", text: "This is chapter 3 of my book." });
  const { reports } = await root.client.sharing.listReports({});
  expect(reports).toMatchObject([{ shareId: share._id, title: "Cells", reason: "copyright" }]);
  await expect(ada.client.sharing.listReports({})).rejects.toMatchObject({ code: "forbidden" });
  await expect(ada.client.sharing.takeDown({ share: share._id })).rejects.toMatchObject({ code: "forbidden" });
  const dismissed = { id: reports[0]?._id ?? "" };
  await root.client.sharing.dismissReport(dismissed);
  expect((await root.client.sharing.listReports({})).reports).toEqual([]);
  await expect(root.client.sharing.dismissReport(dismissed)).rejects.toMatchObject({ reason: "no_report" });
  await anyone.sharing.openShare({ share: share._id });
  await root.client.sharing.takeDown({ share: share._id });
  await expect(anyone.sharing.openShare({ share: share._id })).rejects.toMatchObject({ code: "not_found" });
  await ada.client.sharing.endShare({ type: "page", id: pageId });
  await expect(ada.client.sharing.putShare({ type: "page", id: pageId })).rejects.toMatchObject({ code: "forbidden" });
  expect((await ada.client.sharing.getShare({ type: "page", id: pageId })).share).toMatchObject({ isTakenDown: true });
  expect((await ada.client.pages.getPage({ id: pageId })).page.title).toBe("Cells");
});

test("deleting the account hides its shared content, and restoring it shows it again", async () => {
  const api = await startApi();
  // The first account is the administrator, who cannot be deleted.
  const [, ada, eve] = [await api.newUser(), await api.newUser(), await api.newUser()];
  const { share, pageId, fileId } = await aSharedPage(ada, "Mitochondria");
  await ada.client.sharing.putShare({ type: "page", id: pageId, visibility: "listed" });
  const anyone = api.clientFor();
  const found = async () => (await anyone.sharing.explore({ q: "mitochondria" })).items.length;
  expect(await found()).toBe(1);
  await ada.client.user.deleteAccount({ password: PASSWORD });
  await expect(anyone.sharing.openShare({ share: share._id })).rejects.toMatchObject({ code: "not_found" });
  await expect(eve.client.sharing.duplicatePage({ id: pageId })).rejects.toMatchObject({ code: "not_found" });
  expect((await fetch(`${api.origin}/v1/shared/${share._id}/files/${fileId}`)).status).toBe(404);
  expect([await found(), (await anyone.sharing.explore({ q: "" })).items.length]).toEqual([0, 0]);
  await anyone.auth.login({ email: ada.email, password: PASSWORD });
  expect((await anyone.sharing.openShare({ share: share._id })).shared.title).toBe("Mitochondria");
  expect(await found()).toBe(1);
});
