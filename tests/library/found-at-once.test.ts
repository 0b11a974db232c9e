import { ulid } from "ulid";
import { expect, test } from "vitest";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { searchIndexed } from "#tests/kit/search-indexed.ts";
import { aCard, aChange, aDeck, aPage, aText, deckContent, send, textContent } from "#tests/store/changes.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { aZip } from "./made-notes.ts";

/** The titles of all results for a word, repeated if several results have the same title. */
const findTitles = async (user: TestUser, word: string) =>
  (await searchIndexed(user, { q: word })).found.map(({ kind, title }) => `${kind} ${title}`).toSorted();

test("the next search reflects every kind of change", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const pageId = await aPage(ada, "Transport");
  const textId = await aText(ada, pageId, "Osmosis moves water.");
  const deckId = await aDeck(ada, pageId, [aCard("one", "What is turgor?")]);
  expect(await findTitles(ada, "osmosis")).toEqual(["page Transport"]);
  expect(await findTitles(ada, "turgor")).toEqual(["deck Genes"]);

  const edit = { newContent: textContent("Diffusion spreads them.") };
  await send(ada, aChange("component_content_update", textId, edit, { baseVersion: 1 }));
  expect(await findTitles(ada, "osmosis")).toEqual([]);
  expect(await findTitles(ada, "diffusion")).toEqual(["page Transport"]);

  const entry = (await ada.client.pages.listPageHistory({ id: pageId })).entries.find(
    ({ componentId }) => componentId === textId,
  );
  await ada.client.pages.restoreVersion({ id: textId, versionId: entry?._id ?? "" });
  expect(await findTitles(ada, "osmosis")).toEqual(["page Transport"]);

  await send(ada, aChange("page_update", pageId, { title: "Membranes" }));
  expect(await findTitles(ada, "osmosis")).toEqual(["page Membranes"]);

  const cards = { newContent: deckContent([aCard("one", "What is plasmolysis?")]) };
  await send(ada, aChange("component_content_update", deckId, cards, { baseVersion: 1 }));
  expect(await findTitles(ada, "plasmolysis")).toEqual(["deck Genes"]);

  const file = tinyPdf([["The aquaporin lets water through the membrane."]]);
  const { component } = await ada.client.uploads.uploadImageComponent({ pageId }, [
    { field: "file", file, name: "Pores.pdf" },
  ]);
  expect(await findTitles(ada, "aquaporin")).toEqual(["file Pores"]);
  await send(ada, aChange("component_delete", component._id, { pageId }));
  expect(await findTitles(ada, "aquaporin")).toEqual([]);

  const { share } = await ada.client.sharing.putShare({ type: "page", id: pageId });
  expect(await findTitles(eve, "osmosis")).toEqual([]);
  await eve.client.sharing.duplicatePage({ id: share.targetId, copyId: ulid() });
  expect(await findTitles(eve, "osmosis")).toEqual(["page Membranes"]);

  const notes = new Blob([Buffer.from(aZip({ "Roots.md": "Mycorrhiza feeds the root." }))]);
  const brought = await ada.client.library.importNotes({}, [{ field: "file", name: "Notes.zip", file: notes }]);
  expect(await findTitles(ada, "mycorrhiza")).toEqual(["page Roots"]);
  await ada.client.library.undoImport({ id: brought._id });
  expect(await findTitles(ada, "mycorrhiza")).toEqual([]);

  await send(ada, aChange("page_update", pageId, { archived: true }));
  expect(await findTitles(ada, "osmosis")).toEqual([]);
  await send(ada, aChange("page_update", pageId, { archived: false }));
  await send(ada, aChange("page_delete", pageId, {}));
  expect(await findTitles(ada, "osmosis")).toEqual([]);
});
