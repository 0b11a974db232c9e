import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { aVideoFile } from "./made-video.ts";

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);

async function aStream() {
  const api = await startApi();
  const [ann, bob] = [await api.newUser(), await api.newUser()];
  const made = await aVideoFile(api, ann, bytes);
  const { url, expiresAt } = await ann.client.video.signStream({ id: made.componentId });
  const get = (headers: Record<string, string> = {}, method = "GET") => fetch(api.origin + url, { headers, method });
  return { api, ann, bob, ...made, url, expiresAt, get };
}

test("a player without a token gets the whole video with its type and no executable content", async () => {
  const { get } = await aStream();
  const response = await get();
  expect(response.status).toBe(200);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "video/mp4",
    "content-length": "1000",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("sandbox"),
    "cache-control": expect.stringContaining("private"),
  });
});

test.each([
  ["bytes=0-", 206, "bytes 0-999/1000", 1000],
  ["bytes=100-199", 206, "bytes 100-199/1000", 100],
  ["bytes=990-5000", 206, "bytes 990-999/1000", 10],
  ["bytes=-50", 206, "bytes 950-999/1000", 50],
  ["bytes=-5000", 206, "bytes 0-999/1000", 1000],
  ["bytes=1000-", 416, "bytes */1000", undefined],
  ["bytes=-0", 416, "bytes */1000", undefined],
  ["bytes=0-1,5-9", 200, null, 1000],
  ["lines=1-2", 200, null, 1000],
  ["bytes=x-y", 200, null, 1000],
])("the range %s is answered with %i", async (range, status, contentRange, length) => {
  const { get } = await aStream();
  const response = await get({ range });
  expect([response.status, response.headers.get("content-range")]).toEqual([status, contentRange]);
  const body = new Uint8Array(await response.arrayBuffer());
  if (length !== undefined) expect(body).toHaveLength(length);
  if (status === 206) expect(body[0]).toBe(bytes[Number(contentRange?.match(/\d+/)?.[0])]);
});

test("a range is sent only if the caller has the current version of the file", async () => {
  const { get, blobKey } = await aStream();
  const range = "bytes=500-509";
  expect((await get({ range, "if-range": `"${blobKey}"` })).status).toBe(206);
  expect((await get({ range, "if-range": '"another"' })).status).toBe(200);
  expect((await get({ range, "if-range": `W/"${blobKey}"` })).status).toBe(200);
  expect((await get({ range, "if-range": "Sat, 21 Nov 2026 10:00:00 GMT" })).status).toBe(200);
  expect((await get({ "if-none-match": `"${blobKey}"` })).status).toBe(304);
  const head = await get({}, "HEAD");
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "1000", ""]);
});

test("a media address opens one file, expires, and can't be modified or forged", async () => {
  const { api, ann, bob, componentId, url, get } = await aStream();
  const other = await aVideoFile(api, ann, bytes.slice(0, 10), "other.mp4");
  const otherUrl = (await ann.client.video.signStream({ id: other.componentId })).url;
  const [body, seal] = [url.split(".")[0] ?? "", otherUrl.split(".")[1] ?? ""];
  for (const forged of [`${body}.${seal}`, `${body}.`, body, "/v1/video/stream/x.y", `${url}x`])
    expect([forged, (await fetch(api.origin + forged)).status]).toEqual([forged, 404]);
  await expect(bob.client.video.signStream({ id: componentId })).rejects.toMatchObject({ code: "not_found" });
  api.clock.advance(4 * 3_600_000 + 1);
  expect((await get()).status).toBe(404);
  expect((await fetch(api.origin + (await ann.client.video.signStream({ id: componentId })).url)).status).toBe(200);
});

test("a media address survives a restart; external videos have none", async () => {
  const { api, ann, url } = await aStream();
  const { component } = await ann.client.video.createVideoComponent({ url: "https://example.org/a.mp4" });
  await expect(ann.client.video.signStream({ id: component._id })).rejects.toMatchObject({ code: "not_found" });
  await api.stop();
  const again = await startApi({ dataDir: api.dataDir, clock: api.clock });
  expect((await fetch(again.origin + url)).status).toBe(200);
});
