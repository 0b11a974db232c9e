import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import Koa from "koa";
import { serveWeb } from "#api/http/web-files.ts";
import { readSharePreview } from "#api/sharing/preview.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
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
