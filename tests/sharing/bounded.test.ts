import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { readSharePreview } from "#api/sharing/preview.ts";
import { findListedTopics } from "#api/sharing/store.ts";
import type { Collection, CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aPicture } from "#tests/kit/files.ts";
import { override } from "#tests/admin/override.ts";
import { aCard, aChange, aDeck, aPage, aText, send, textComponent } from "#tests/store/changes.ts";
import { ownFolder } from "#tests/store/own-folder.ts";

const SHELL = "<!doctype html><html><head><title>Lamplight</title></head><body></body></html>";

async function aLongPage(owner: TestUser, texts: readonly string[]): Promise<{ pageId: string; shareId: string }> {
  const pageId = await aPage(owner, "Cells");
  const changes = texts.map((text) => {
    const id = ulid();
    return aChange("component_create", id, textComponent(id, pageId, text));
  });
  await send(owner, ...changes);
  const { share } = await owner.client.sharing.putShare({ type: "page", id: pageId });
  return { pageId, shareId: share._id };
}

/** The store with a counter of the documents read from it: all, or those for which `counts` is true. */
function countRead(
  store: DocumentStore,
  counts: (doc: Doc) => boolean = () => true,
): { store: DocumentStore; counted: { docs: number } } {
  const counted = { docs: 0 };
  const collection: DocumentStore["collection"] = <T extends Doc>(spec: CollectionSpec<T>): Collection<T> => {
    const inner = store.collection<T>(spec);
    return override(inner, {
      async find(...args) {
        const found = await inner.find(...args);
        counted.docs += found.filter(counts).length;
        return found;
      },
    });
  };
  return { store: override(store, { collection }), counted };
}

test("listing the topics reads one share of each topic, however many shares there are", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  for (const topic of ["physics", "physics", "physics", "biology"] as const) {
    const id = await aPage(ada, "Cells");
    await ada.client.sharing.putShare({ type: "page", id, visibility: "listed", topic });
  }
  const { store, counted } = countRead(api.deps.store);
  expect(await findListedTopics(store)).toEqual(["biology", "physics"]);
  expect(counted.docs).toBe(2);
});

test("a link preview reads one long text of a page, and is cached until the page changes", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { pageId, shareId } = await aLongPage(
    ada,
    Array.from({ length: 30 }, (_, i) => `${i} cell `.repeat(2_000)),
  );
  const { store, counted } = countRead(api.deps.store, (doc) => "content" in doc);
  const preview = () => readSharePreview(store, `/s/${shareId}`);
  expect(await preview()).toMatchObject({ description: expect.stringMatching(/^0 cell 0 cell .{150,}…$/) });
  expect(counted.docs).toBe(1);
  await preview();
  expect(counted.docs).toBe(1);
  const id = ulid();
  await send(ada, aChange("component_create", id, { ...textComponent(id, pageId, "A new beginning"), index: 0 }));
  expect(await preview()).toMatchObject({ description: expect.stringContaining("A new beginning") });
});

test("a shared page is sent in parts that add up to the whole page, each with its files and citations", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const texts = Array.from({ length: 230 }, (_, i) => `text ${i}`);
  const { pageId, shareId } = await aLongPage(ada, texts);
  const { componentId, fileId } = await aPicture(ada, pageId);
  await aDeck(ada, pageId, [{ ...aCard("here"), citation: `pdf_citation:${componentId}:1:unit` }]);
  const anyone = api.clientFor();
  const read: string[] = [];
  const sizes: number[] = [];
  let from: number | undefined = 0;
  let last = "";
  while (from !== undefined) {
    const { shared } = await anyone.sharing.openShare({ share: shareId, from });
    sizes.push(shared.components.length);
    read.push(...shared.components.map(({ content }) => JSON.stringify(content)));
    last = JSON.stringify(shared.components);
    from = shared.next;
  }
  expect(sizes).toEqual([100, 100, 32]);
  expect(read.slice(0, 230).map((content) => /text \d+/.exec(content)?.[0])).toEqual(texts);
  expect(last).toContain(`/v1/shared/${shareId}/files/${fileId}`);
  expect(last).toContain(`pdf_citation:${componentId}:1:unit`);
});

test("long texts produce an answer of few components, and changes are shown at once", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { pageId, shareId } = await aLongPage(
    ada,
    Array.from({ length: 6 }, (_, i) => `${i}`.repeat(200_000)),
  );
  const anyone = api.clientFor();
  const open = async (from: number) => (await anyone.sharing.openShare({ share: shareId, from })).shared;
  const first = await open(0);
  expect([first.components.length, first.next]).toEqual([2, 2]);
  expect((await open(4)).next).toBeUndefined();
  await aText(ada, pageId, "the end");
  expect((await open(4)).components).toHaveLength(3);
  expect((await open(6)).components).toMatchObject([{ content: { text: [{ content: "the end" }] } }]);
});

test("a picture inside a shared card is served until the card is deleted", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const { fileId } = await aPicture(ada, await aPage(ada, "Private"));
  const deckId = await aDeck(ada, pageId, [{ ...aCard("a"), questionImage: `/v1/files/${fileId}` }]);
  const { share } = await ada.client.sharing.putShare({ type: "page", id: pageId });
  const status = async () => (await fetch(`${api.origin}/v1/shared/${share._id}/files/${fileId}`)).status;
  expect([await status(), await status()]).toEqual([200, 200]);
  await send(ada, aChange("component_delete", deckId, {}));
  expect(await status()).toBe(404);
});

const publicRows = Object.entries(v1).flatMap(([feature, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).flatMap(([name, row]) =>
    row.access === "public" ? [{ name: `${feature}.${name}`, row }] : [],
  ),
);

test.each(publicRows)("$name, which needs no account, declares and enforces a rate limit", async ({ row }) => {
  expect(row.rate).toBeDefined();
  // Every rate limit allows one call a minute.
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "0.0001" } });
  const path = row.path.replaceAll(/:\w+/g, "missing");
  const statuses: number[] = [];
  for (let call = 0; call < 5; call += 1)
    statuses.push((await fetch(api.origin + path, { method: row.method, redirect: "manual" })).status);
  expect(statuses.at(-1)).toBe(429);
});

test("link previews, screens, web app files and token guesses are rate-limited", async () => {
  const webFolder = ownFolder();
  writeFileSync(join(webFolder, "shell.html"), SHELL);
  const api = await startApi({ webFolder, env: { RATE_LIMIT_FACTOR: "0.0001" } });
  const last = async (path: string, headers: Record<string, string> = {}) => {
    let status = 0;
    for (let call = 0; call < 5; call += 1) ({ status } = await fetch(api.origin + path, { headers }));
    return status;
  };
  expect(await last("/s/no-such-share")).toBe(429);
  expect(await last("/home")).toBe(429);
  expect(await last("/shell.html")).toBe(429);
  expect(await last("/v1/user/usage", { authorization: `Bearer ${"x".repeat(43)}` })).toBe(429);
});
