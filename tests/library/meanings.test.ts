import { expect, onTestFinished, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { searchIndexed } from "#tests/kit/search-indexed.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";

/** Words of the same kind get similar embeddings. */
const kinds = [/car|automobile|vehicle/i, /leaf|leaves|foliage/i, /money|coin/i];
const meaning = (text: string) =>
  Array.from({ length: 48 }, (_, at) => (kinds[at % kinds.length]?.test(text) ? 1 : -0.2) + (at % 7) / 100);

async function aServer(withMeaning: boolean) {
  const server = await startModelServer(withMeaning ? { meaning } : {});
  onTestFinished(() => server.close());
  const env = { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model", AI_EMBEDDING_MODEL: "test-embed" };
  return { server, api: await startApi({ env, realClock: true }) };
}

const AUTOMOBILE = "The automobile changed how cities were built.";

async function aReader(api: Awaited<ReturnType<typeof aServer>>["api"]) {
  const ada = await api.newUser();
  const pageId = await aPage(ada, "History");
  await aText(ada, pageId, AUTOMOBILE);
  await aText(ada, pageId, "Coins were struck of silver.");
  const search = async (q: string) => (await searchIndexed(ada, { q })).found.map(({ text }) => text);
  return { ada, pageId, search };
}

test("with an embeddings server, passages are found by meaning, and each is embedded once", async () => {
  const { server, api } = await aServer(true);
  const { ada, pageId, search } = await aReader(api);
  await search("car");
  await expect.poll(() => search("car")).toContain(AUTOMOBILE);
  const passages = server.embedded.filter((text) => text !== "car");
  expect(passages.toSorted()).toEqual([AUTOMOBILE, "Coins were struck of silver."].toSorted());
  await aText(ada, pageId, "Foliage turns red in autumn.");
  await expect.poll(() => search("leaf")).toContain("Foliage turns red in autumn.");
});

test("exact words still rank first, and another account's passages are never found", async () => {
  const { api } = await aServer(true);
  const { search } = await aReader(api);
  const eve = await api.newUser();
  await aText(eve, await aPage(eve, "Other"), "A vehicle of another account.");
  const { library } = eve.client;
  await library.search({ q: "vehicle" });
  await expect.poll(() => search("car")).toContain(AUTOMOBILE);
  expect((await search("silver coins"))[0]).toBe("Coins were struck of silver.");
  expect(await search("vehicle")).not.toContain("A vehicle of another account.");
});

test("without embeddings, or when their server is gone, words still find passages", async () => {
  const { server, api } = await aServer(false);
  const { search } = await aReader(api);
  expect(await search("silver")).toEqual(["Coins were struck of silver."]);
  await server.close();
  expect(await search("automobile")).toEqual([AUTOMOBILE]);
});
