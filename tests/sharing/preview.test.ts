import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import Koa from "koa";
import { serveWeb } from "#api/http/web-files.ts";
import { readSharePreview } from "#api/sharing/preview.ts";
import { createShareAddresses } from "#api/sharing/share-addresses.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { startApi } from "#tests/kit/api.ts";
import { aChange, aPage, aText, send } from "#tests/store/changes.ts";
import { ownFolder } from "#tests/store/own-folder.ts";

const SHELL = "<!doctype html><html><head><title>Lamplight</title></head><body></body></html>";

test("a shared link's preview contains its title and beginning as escaped text; other addresses have none", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada, `"><script>alert(1)</script> Cells & more`);
  await aText(ada, pageId, "The cell is the unit of life.");
  const folder = ownFolder();
  writeFileSync(join(folder, "shell.html"), SHELL);
  const app = new Koa();
  const preview = (path: string) => readSharePreview(api.deps.store, path);
  app.use(serveWeb(folder, { publicUrl: "https://lamp.example", preview }));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const read = async (path: string) => (await fetch(origin + path)).text();

  const { share } = await ada.client.sharing.putShare({ type: "page", id: pageId });
  const unlisted = await read(`/s/${share._id}`);
  expect(unlisted).toContain('<meta property="og:description" content="The cell is the unit of life." />');
  expect(unlisted).toContain("<title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; Cells &amp; more</title>");
  expect(unlisted).not.toContain("<script>");
  expect(unlisted).toContain(`content="https://lamp.example/s/${share._id}"`);
  expect(unlisted).toContain('content="noindex"');
  await ada.client.sharing.putShare({ type: "page", id: pageId, visibility: "listed" });
  expect(await read(`/s/${share._id}`)).not.toContain("noindex");
  await ada.client.sharing.endShare({ type: "page", id: pageId });
  for (const path of [`/s/${share._id}`, "/s/no-such-share", "/home"]) expect(await read(path)).toBe(SHELL);
  server.close();
});

/** A server with a built web app, and a page that is listed on Explore. */
async function aListing(title: string) {
  const webFolder = ownFolder();
  writeFileSync(join(webFolder, "shell.html"), SHELL.replace("<html>", '<html lang="en">'));
  mkdirSync(join(webFolder, ".site"));
  for (const [name, text] of [
    ["pages.json", "[]"],
    ["boot.js", ""],
  ] as const)
    writeFileSync(join(webFolder, ".site", name), text);
  const api = await startApi({ webFolder, env: { PUBLIC_URL: "https://lamp.example", REGISTRATION: "open" } });
  const ada = await api.newUser();
  const pageId = await aPage(ada, title);
  await aText(ada, pageId, "The cell is the unit of life.");
  const listing = { type: "page", id: pageId, visibility: "listed", topic: "biology" } as const;
  const { share } = await ada.client.sharing.putShare(listing);
  const read = async (path: string, language = "en") => {
    const response = await fetch(api.origin + path, { headers: { "accept-language": language } });
    return { status: response.status, text: await response.text() };
  };
  return { api, ada, pageId, share, read };
}

test("Explore has its own title, address and data, and lists its links for readers without scripts", async () => {
  const { api, ada, pageId, share, read } = await aListing("</script><b>Cells</b> & more");
  const { status, text } = await read("/explore");
  expect(status).toBe(200);
  for (const part of [
    "<title>Explore · Lamplight</title>",
    '<link rel="canonical" href="https://lamp.example/explore" />',
    '<meta property="og:title" content="Explore" />',
    '<meta property="og:type" content="website" />',
    `<a href="/s/${share._id}">&lt;/script&gt;&lt;b&gt;Cells&lt;/b&gt; &amp; more</a><p>The cell is the unit of life.</p>`,
    '<a href="/explore/biology">Biology</a>',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("<b>");
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
  expect(JSON.parse(json)).toMatchObject({
    "@type": "CollectionPage",
    url: "https://lamp.example/explore",
    mainEntity: { itemListElement: [{ position: 1, url: `https://lamp.example/s/${share._id}` }] },
  });
  const german = (await read("/explore/biology/", "de")).text;
  expect(german).toContain("<title>Entdecken: Biologie · Lamplight</title>");
  expect(german).toContain('<link rel="canonical" href="https://lamp.example/explore/biology" />');
  expect(german).toContain('<html lang="de"');
  expect((await read("/explore/arts")).text).toContain('content="noindex"');
  // What is no longer listed disappears when the cached list is read again.
  await ada.client.sharing.endShare({ type: "page", id: pageId });
  api.clock.advance(60_000);
  expect((await read("/explore")).text).not.toContain(share._id);
});

test("a link that shares nothing and a topic that does not exist return 404 with the app", async () => {
  const { ada, pageId, share, read } = await aListing("Cells");
  const statuses = (paths: readonly string[]) => Promise.all(paths.map(async (path) => (await read(path)).status));
  const found = ["/explore", "/explore/", "/explore/search", "/explore/arts", `/s/${share._id}`, `/s/${share._id}/`];
  expect(await statuses(found)).toEqual(found.map(() => 200));
  await ada.client.sharing.endShare({ type: "page", id: pageId });
  const missing = ["/explore/nonsense", "/explore/biology/cells", "/s/nonsense", "/s/no%20id", `/s/${share._id}`];
  expect(await statuses(missing)).toEqual(missing.map(() => 404));
  expect((await read("/s/nonsense")).text).toContain("<title>Lamplight</title>");
});

test("the sitemap names listed shares that can be opened, and no others", async () => {
  const { api, ada, pageId, share, read } = await aListing("Cells");
  const { share: unlisted } = await ada.client.sharing.putShare({ type: "page", id: await aPage(ada, "Notes") });
  const address = `<loc>https://lamp.example/s/${share._id}</loc>`;
  const map = async () => (await read("/sitemap.xml")).text;
  expect(await map()).toContain(address);
  expect(await map()).not.toContain(unlisted._id);
  await send(ada, aChange("page_update", pageId, { archived: true }));
  api.clock.advance(10 * 60_000);
  expect(await map()).not.toContain(address);
});

test("the sitemap's shares are read once, however long the reading takes", async () => {
  const { api, share } = await aListing("Cells");
  const { store } = api.deps;
  const readAddresses = createShareAddresses(api.deps);
  let reads = 0;
  const released = createDeferred<undefined>();
  beforeStoreCall(store, async (call) => {
    if (call !== "shares.find") return;
    reads += 1;
    if (reads === 1) await released.promise;
  });
  const first = readAddresses();
  api.clock.advance(11 * 60_000);
  const second = readAddresses();
  released.resolve(undefined);
  const expected = [{ path: `/s/${share._id}` }];
  expect([await first, await second]).toMatchObject([expected, expected]);
  // Its age counts from the end of the reading.
  api.clock.advance(9 * 60_000);
  await readAddresses();
  expect(reads).toBe(1);
  api.clock.advance(60_000);
  await readAddresses();
  expect(reads).toBe(2);
});
