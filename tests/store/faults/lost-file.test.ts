import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { aPicture } from "#tests/kit/files.ts";
import { aPage } from "../changes.ts";

test("returns 404 with a reason for a file missing from the disk, for the whole file and for ranges", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { fileId } = await aPicture(ada, await aPage(ada, "Cells"));
  const headers = { authorization: `Bearer ${ada.token}` };
  const url = `${api.origin}/v1/files/${fileId}`;
  expect((await fetch(url, { headers })).status).toBe(200);

  for await (const { key } of api.deps.blobs.list()) await rm(join(api.dataDir, "files", key.slice(0, 2), key));
  for (const more of [{}, { range: "bytes=0-3" }]) {
    const answer = await fetch(url, { headers: { ...headers, ...more } });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "not_found", reason: "file_lost" });
    expect(answer.headers.get("etag")).toBeNull();
    expect(answer.headers.get("content-disposition")).toBeNull();
  }
  expect((await fetch(url, { headers, method: "HEAD" })).status).toBe(404);
});
