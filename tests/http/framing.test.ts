import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPicture } from "#tests/kit/files.ts";
import { aPage } from "#tests/store/changes.ts";
import { aVideoFile } from "#tests/video/made-video.ts";

async function aWebFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lamplight-web-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ["shell.html", "document.html", "index.html", "explore.html"])
    await writeFile(join(folder, name), "<!doctype html><title>Lamplight</title>");
  return folder;
}

/** Each policy must have `frame-ancestors`, because `default-src` does not cover framing. */
function expectNoFrames(path: string, { headers }: Response): void {
  const policies = (headers.get("content-security-policy") ?? "").split(",");
  expect([path, policies.every((policy) => policy.includes("frame-ancestors 'none'"))]).toEqual([path, true]);
  expect([path, headers.get("x-frame-options")?.toUpperCase()]).toEqual([path, "DENY"]);
}

test("no other site may frame our pages: screens, shared pages, API docs, files and errors", async () => {
  const api = await startApi({ webFolder: await aWebFolder() });
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Genes");
  const { fileId } = await aPicture(ada, pageId);
  const { componentId } = await aVideoFile(api, ada, new Uint8Array(10));
  const { share } = await ada.client.sharing.putShare({ type: "page", id: pageId, visibility: "unlisted" });
  const { url } = await ada.client.video.signStream({ id: componentId });
  const html = ["/", "/explore.html", "/home", "/pdf/x", `/s/${share._id}`, "/v1/docs"];
  for (const path of html) {
    const response = await fetch(api.origin + path);
    expect([path, response.headers.get("content-type")]).toEqual([path, expect.stringContaining("text/html")]);
    expectNoFrames(path, response);
  }
  const headers = { authorization: `Bearer ${ada.token}` };
  for (const path of ["/v1/openapi.json", url, "/v1/none", "/none.html", `/v1/files/${fileId}`])
    expectNoFrames(path, await fetch(api.origin + path, { headers }));
  expectNoFrames(
    "Apple's way back",
    await fetch(`${api.origin}/oauth/apple/callback`, { method: "POST", body: "state=x", redirect: "manual" }),
  );
});

test("no endpoint that returns a file may be framed", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const { token } = await api.newUser();
  const rows = Object.values(v1).flatMap((feature) => Object.values(feature as Record<string, Endpoint>));
  for (const row of rows.filter(({ kind }) => kind === "file"))
    expectNoFrames(
      row.path,
      await fetch(api.origin + row.path.replaceAll(/:\w+/g, "01JZZZZZZZZZZZZZZZZZZZZZZZ"), {
        headers: { authorization: `Bearer ${token}` },
      }),
    );
});
