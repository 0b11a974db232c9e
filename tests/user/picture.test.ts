import { basename } from "node:path";
import { expect, test } from "vitest";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { corpusFiles } from "#tests/kit/corpus.ts";
import { tryPictures } from "./pictures.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const put = (user: TestUser, bytes: Uint8Array, name = "me.png") =>
  user.client.user.uploadProfilePicture({}, [{ field: "image", file: new Blob([new Uint8Array(bytes)]), name }]);

const open = (api: TestApi, location: string) => fetch(api.origin + location);

test("a picture has an unguessable address that expires when it is replaced or removed", async () => {
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

/** Every accepted format and the most harmful broken files; the long checks use all files. */
const selectedNames = /^(fmt_|gen_)|bomb|dos|reallybig|bad_broken|zero_width/;
const selectedFiles = corpusFiles("image").filter((path) => selectedNames.test(basename(path)));

test.skipIf(selectedFiles.length === 0)(
  "pictures of the corpus are scaled down without metadata, or refused with a message",
  async () => {
    const taken = await tryPictures(selectedFiles);
    expect(taken).toEqual(
      expect.arrayContaining(["fmt_hopper.jpg", "fmt_hopper.gif", "fmt_hopper.webp", "fmt_exif_gps.jpg"]),
    );
    expect(taken).not.toContain("gen_xss.svg");
  },
  120_000,
);
