import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { corpusFiles } from "#tests/kit/corpus.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const put = (user: TestUser, bytes: Uint8Array, name = "me.png") =>
  user.client.user.uploadProfilePicture({}, [{ field: "image", file: new Blob([new Uint8Array(bytes)]), name }]);

const open = (api: TestApi, location: string) => fetch(api.origin + location);

test("a picture is shown at an address nobody can guess, which dies when another takes its place or it is taken away", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { location } = await put(ada, Buffer.from(pixel, "base64"));
  expect((await ada.client.auth.getUser({})).user.profilePictureUrl).toBe(location);
  const shown = await open(api, location);
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
  const second = await put(ada, Buffer.from(pixel, "base64"));
  expect((await open(api, location)).status).toBe(404);
  expect((await open(api, second.location)).status).toBe(200);
  expect((await ada.client.user.removeProfilePicture({})).user.profilePictureUrl).toBeNull();
  expect((await open(api, second.location)).status).toBe(404);
});

test("the address of a picture opens no other file of its owner", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await put(ada, Buffer.from(pixel, "base64"));
  expect((await open(api, `/v1/user/profile_picture/${ada.userId}/some-file.pdf`)).status).toBe(404);
});

test("every picture of the corpus becomes a small one or is refused in words", async () => {
  const api = await startApi({ realClock: true });
  const ada = await api.newUser();
  const files = corpusFiles("image").slice(0, 24);
  for (const path of files) {
    const answer = await put(ada, readFileSync(path), basename(path)).catch((error: unknown) => error);
    const isKnown = answer instanceof Error ? "code" in answer && answer.code !== "broken" : true;
    expect([basename(path), isKnown]).toEqual([basename(path), true]);
  }
}, 120_000);
