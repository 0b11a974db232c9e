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

const corpus = corpusFiles("image");
const refusals = ["invalid_file", "unsupported_file_type", "too_large", "bad_input"];

test.skipIf(corpus.length === 0)(
  "every picture of the corpus becomes a small one without what the camera wrote, or is refused in words",
  async () => {
    const api = await startApi({ realClock: true, env: { RATE_LIMIT_FACTOR: "100" } });
    const ada = await api.newUser();
    const taken: string[] = [];
    for (const path of corpus) {
      const name = basename(path);
      const answer = await put(ada, readFileSync(path), name).catch((error: unknown) => error);
      if (answer instanceof Error) {
        expect([name, refusals.includes("code" in answer ? String(answer.code) : ""), answer.message !== ""]).toEqual([
          name,
          true,
          true,
        ]);
        continue;
      }
      taken.push(name);
      const shown = await open(api, (answer as { location: string }).location);
      const bytes = Buffer.from(await shown.arrayBuffer());
      const kept = [name, shown.headers.get("content-type"), bytes.length < 200_000, bytes.includes("EXIF")];
      expect(kept).toEqual([name, "image/webp", true, false]);
    }
    expect(taken).toEqual(
      expect.arrayContaining(["fmt_hopper.jpg", "fmt_hopper.gif", "fmt_hopper.webp", "fmt_exif_gps.jpg"]),
    );
    expect(taken).not.toContain("gen_xss.svg");
  },
  120_000,
);
