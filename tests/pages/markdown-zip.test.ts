import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, aText, send } from "#tests/store/changes.ts";
import { aPicture } from "#tests/kit/files.ts";
import { parseMarkdownBlocks } from "#shared/pages/markdown-read.ts";

const unzipped = async (zip: Blob) => unzipSync(new Uint8Array(await zip.arrayBuffer()));

async function aFullPage(ada: TestUser, title: string) {
  const pageId = await aPage(ada, title);
  await aText(ada, pageId, "Water moves by osmosis.");
  await aDeck(ada, pageId, [aCard("c1", "What moves?")]);
  await aPicture(ada, pageId);
  return pageId;
}

test("a page is exported as a zip with Markdown and files, linked by relative paths", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aFullPage(ada, "Cells: a/b");
  const files = await unzipped(await ada.client.pages.exportPage({ id: pageId }));
  const names = Object.keys(files).toSorted();
  const media = names.filter((name) => name.startsWith("media/"));
  expect(names).toEqual(["Cells a b.md", ...media].toSorted());
  expect(media).toHaveLength(1);
  const text = strFromU8(files["Cells a b.md"] ?? new Uint8Array());
  expect(text).toContain("# Cells: a/b");
  expect(text).toContain("| Question | Answer |");
  expect(text).toContain(`](${media[0]?.replaceAll(" ", "%20")})`);
  expect(parseMarkdownBlocks(text).map(({ type }) => type)).toEqual(["text", "text", "flash_cards", "file"]);
  expect(files[media[0] ?? ""]?.length).toBeGreaterThan(50);
});

test("all pages are exported as one zip; equal names stay distinct, without trash and other accounts' pages", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser({ name: "Eve" })];
  const pageId = await aFullPage(ada, "Cells");
  await aFullPage(ada, "cells");
  await send(ada, aChange("page_update", await aPage(ada, "Gone"), { archived: true }));
  const files = await unzipped(await ada.client.pages.exportPages({}));
  const pages = Object.keys(files).filter((name) => name.endsWith(".md"));
  expect(pages.map((name) => name.toLowerCase()).toSorted()).toEqual(["cells 2.md", "cells.md"]);
  expect(Object.keys(await unzipped(await eve.client.pages.exportPages({})))).toEqual([]);
  await expect(eve.client.pages.exportPage({ id: pageId })).rejects.toMatchObject({ code: "not_found" });
});
