import { expect, test } from "vitest";
import { startApi, type TestUser } from "#tests/kit/api.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGNgYPiPAw1TCQZcAAA5tz/BJVCC7wAAAABJRU5ErkJggg==",
  "base64",
);

const send = (user: TestUser, bytes: Uint8Array, name = "cell.png") =>
  user.client.flashcards.addCardPicture({}, [{ field: "file", name, file: new Blob([new Uint8Array(bytes)]) }]);
const read = async (user: TestUser, url: string) => {
  const blob = await user.client.uploads.getFile({ fileId: url.split("/").at(-1) ?? "" });
  return Buffer.from(await blob.arrayBuffer());
};

test("a card's picture is stored once and served to its owner", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { url } = await send(ada, PNG);
  expect(url).toMatch(/^\/v1\/files\/[a-f0-9]{26}\.png$/);
  expect(await read(ada, url)).toEqual(PNG);
  expect(await send(ada, PNG, "another name.png")).toEqual({ url });
});

test("another student's picture returns 404", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const { url } = await send(ada, PNG);
  await expect(read(eve, url)).rejects.toMatchObject({ code: "not_found" });
  expect((await send(eve, PNG)).url).not.toBe(url);
});

test.each([
  ["a page that calls itself a picture", "<script>alert(1)</script>", "unsupported_file_type"],
  [
    "a drawing that can run scripts",
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "unsupported_file_type",
  ],
  ["nothing", "", "invalid_file"],
] as const)("refuses %s", async (_, text, code) => {
  const api = await startApi();
  const ada = await api.newUser();
  await expect(send(ada, Buffer.from(text))).rejects.toMatchObject({ code });
});

test("refuses a picture of more than 10 MB", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const large = Buffer.concat([PNG, Buffer.alloc(11 * 1024 * 1024)]);
  await expect(send(ada, large)).rejects.toMatchObject({ code: "too_large" });
});

test.each(["../../etc/passwd.png", "Zoë \u202Egnp.exe", "<img src=x>.png", 'a"b.png', `${"x".repeat(900)}.png`])(
  "a picture named %j is stored, with the name as plain text",
  async (name) => {
    const api = await startApi();
    const ada = await api.newUser();
    expect((await send(ada, PNG, name)).url).toMatch(/^\/v1\/files\/[a-f0-9]{26}\.png$/);
  },
);
