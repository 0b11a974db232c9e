import { createHash } from "node:crypto";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { MIN_PIECE_BYTES } from "#shared/uploads/contract.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { noise } from "#tests/kit/random.ts";
import { aPage } from "#tests/store/changes.ts";

const KB = 1024;
const PIECE = MIN_PIECE_BYTES;

let videos = 0;

/** Different bytes each time, starting with the signature of a video, because nothing else is read. */
function aVideo(sizeBytes = 3 * PIECE + 1234): Buffer {
  videos += 1;
  const rest = noise(sizeBytes - 24, videos);
  return Buffer.concat([Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2", "latin1"), rest]);
}

const start = (user: TestUser, bytes: Buffer, more: object = {}) => {
  const componentId = ulid();
  const asked = {
    componentId,
    family: "video",
    name: "Lecture 9.mp4",
    type: "video/mp4",
    sizeBytes: bytes.length,
  } as const;
  return user.client.uploads.startUpload({ ...asked, ...more }).then(({ upload }) => upload._id);
};

const append = (user: TestUser, id: string, offset: number, piece: Buffer) =>
  user.client.uploads.appendToUpload({ id, offset }, [
    { field: "piece", file: new Blob([new Uint8Array(piece)]), name: "piece" },
  ]);

async function appendAll(user: TestUser, id: string, bytes: Buffer, from = 0) {
  for (let at = from; at < bytes.length; at += PIECE) await append(user, id, at, bytes.subarray(at, at + PIECE));
}

const usage = async (user: TestUser) => (await user.client.user.getUsage({})).fileUploads;
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function bytesOf(api: TestApi, user: TestUser, url: string): Promise<Buffer> {
  const answer = await fetch(api.origin + url, { headers: { authorization: `Bearer ${user.token}` } });
  return Buffer.from(await answer.arrayBuffer());
}

test("an upload in pieces becomes a video component with the same bytes, counted once", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const film = aVideo();
  const id = await start(ada, film, { pageId });
  await appendAll(ada, id, film);
  expect((await ada.client.uploads.getUpload({ id })).upload).toMatchObject({ offset: film.length, isComplete: false });

  const { component } = await ada.client.uploads.completeUpload({ id });

  expect(component).toMatchObject({ _id: id, pageId, type: "video" });
  if (component.type !== "video") throw new Error("not a video");
  expect(component.content).toMatchObject({ videoType: "file", title: "Lecture 9", file: { name: "Lecture 9.mp4" } });
  expect(component.content.file.id).toMatch(/\.mp4$/);
  expect(hash(await bytesOf(api, ada, component.content.url))).toBe(hash(film));
  expect(await usage(ada)).toBe(1);
  expect((await ada.client.pages.getPage({ id: pageId })).page.components).toEqual([id]);
});

test("repeating start or complete returns the same component", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  const film = aVideo(PIECE);
  const id = await start(ada, film);
  await appendAll(ada, id, film);
  const first = await ada.client.uploads.completeUpload({ id });
  expect(await ada.client.uploads.completeUpload({ id })).toEqual(first);
  expect(await start(ada, film, { componentId: id })).toBe(id);
  expect((await ada.client.uploads.getUpload({ id })).upload).toMatchObject({ isComplete: true });
  expect(await usage(ada)).toBe(1);
});

test("concurrent completions create one component and count once, even for the day's last upload", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  const film = aVideo(2 * PIECE);
  const id = await start(ada, film);
  await appendAll(ada, id, film);
  const answers = await Promise.allSettled([1, 2, 3, 4].map(() => ada.client.uploads.completeUpload({ id })));
  const codes = answers.map((outcome) =>
    outcome.status === "fulfilled" ? "made" : (outcome.reason as { code: string }).code,
  );
  expect(codes).toContain("made");
  expect(codes.filter((code) => code !== "made" && code !== "too_many_requests")).toEqual([]);
  expect((await ada.client.uploads.completeUpload({ id })).component._id).toBe(id);
  expect(await usage(ada)).toBe(1);
});

test("a piece at the wrong offset changes nothing, and the response has the right one", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const film = aVideo();
  const id = await start(ada, film);
  await append(ada, id, 0, film.subarray(0, PIECE));
  const wrong = { code: "version_conflict", data: { offset: PIECE } };
  for (const at of [0, PIECE - 1, PIECE + 1, 2 * PIECE, film.length])
    await expect(append(ada, id, at, film.subarray(at, at + PIECE))).rejects.toMatchObject(
      at < film.length ? wrong : { code: "version_conflict" },
    );
  await expect(ada.client.uploads.completeUpload({ id })).rejects.toMatchObject(wrong);
  expect((await ada.client.uploads.getUpload({ id })).upload.offset).toBe(PIECE);
  await appendAll(ada, id, film, PIECE);
  const { component } = await ada.client.uploads.completeUpload({ id });
  if (component.type !== "video") throw new Error("not a video");
  expect(hash(await bytesOf(api, ada, component.content.url))).toBe(hash(film));
});

test("of two concurrent pieces at one offset, one is accepted", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const film = aVideo(2 * PIECE);
  const id = await start(ada, film);
  const both = await Promise.allSettled([
    append(ada, id, 0, film.subarray(0, PIECE)),
    append(ada, id, 0, film.subarray(0, PIECE)),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await append(ada, id, PIECE, film.subarray(PIECE));
  const { component } = await ada.client.uploads.completeUpload({ id });
  if (component.type !== "video") throw new Error("not a video");
  expect(hash(await bytesOf(api, ada, component.content.url))).toBe(hash(film));
});

test("an upload continues where it was after a restart of the API", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const film = aVideo();
  const id = await start(ada, film);
  await append(ada, id, 0, film.subarray(0, PIECE));
  await api.stop();

  const again = await startApi({ dataDir: api.dataDir });
  const back = { ...ada, client: again.clientFor(ada.token) };
  const { offset } = (await back.client.uploads.getUpload({ id })).upload;
  expect(offset).toBe(PIECE);
  await appendAll(back, id, film, offset);
  const { component } = await back.client.uploads.completeUpload({ id });
  if (component.type !== "video") throw new Error("not a video");
  expect(hash(await bytesOf(again, back, component.content.url))).toBe(hash(film));
});

test("another account's upload is not found, and two accounts may use the same id", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const film = aVideo(PIECE);
  const id = await start(ada, film);
  const missing = { code: "not_found", message: "This upload does not exist." };
  await expect(eve.client.uploads.getUpload({ id })).rejects.toMatchObject(missing);
  await expect(append(eve, id, 0, film)).rejects.toMatchObject(missing);
  await expect(eve.client.uploads.completeUpload({ id })).rejects.toMatchObject(missing);
  await expect(eve.client.uploads.cancelUpload({ id })).rejects.toMatchObject(missing);
  const hers = aVideo(PIECE);
  await start(eve, hers, { componentId: id });
  await appendAll(eve, id, hers);
  expect((await ada.client.uploads.getUpload({ id })).upload.offset).toBe(0);
  await expect(start(eve, hers, { pageId: await aPage(ada) })).rejects.toMatchObject({ code: "not_found" });
});

test("a cancelled upload is forgotten and can start again under the same id", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const film = aVideo(2 * PIECE);
  const id = await start(ada, film);
  await append(ada, id, 0, film.subarray(0, PIECE));
  await ada.client.uploads.cancelUpload({ id });
  await expect(ada.client.uploads.getUpload({ id })).rejects.toMatchObject({ code: "not_found" });
  await expect(append(ada, id, PIECE, film.subarray(PIECE))).rejects.toMatchObject({ code: "not_found" });
  await start(ada, film, { componentId: id });
  expect((await ada.client.uploads.getUpload({ id })).upload.offset).toBe(0);
  expect(await usage(ada)).toBe(0);
});

test("checks the size before the daily limit, and both before any data is sent", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  const big = { sizeBytes: 11 * KB * KB };
  const tooLarge = "File too large (11.0MB). Your plan allows up to 10MB. Upgrade for 300MB files!";
  await expect(start(ada, aVideo(PIECE), big)).rejects.toMatchObject({ code: "too_large", message: tooLarge });
  const id = await start(ada, aVideo(PIECE));
  const film = aVideo(PIECE);
  await appendAll(ada, id, film);
  await ada.client.uploads.completeUpload({ id });
  await expect(start(ada, film, big)).rejects.toMatchObject({ code: "too_large" });
  await expect(start(ada, film)).rejects.toMatchObject({
    code: "limit_reached",
    message: "You've used all 1 uploads today. Upgrade to Ultimate for unlimited uploads!",
  });
  await expect(start(ada, film, { sizeBytes: 0 })).rejects.toMatchObject({
    code: "invalid_file",
    message: "The file is empty. Please select a valid file.",
  });
});

test("of two uploads started before the limit, one completes and the other can be completed tomorrow", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  const film = aVideo(PIECE);
  const [one, two] = [await start(ada, film), await start(ada, film)];
  await appendAll(ada, one, film);
  await appendAll(ada, two, film);
  await ada.client.uploads.completeUpload({ id: one });
  await expect(ada.client.uploads.completeUpload({ id: two })).rejects.toMatchObject({ code: "limit_reached" });
  api.clock.advance(24 * 60 * 60 * 1000);
  expect((await ada.client.uploads.completeUpload({ id: two })).component._id).toBe(two);
});

test("the pre-check applies the same rules in the same order", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  const ask = (sizeBytes: number, name = "a.pdf") =>
    ada.client.uploads.getUploadAllowance({ name, type: "", sizeBytes });
  expect(await ask(5)).toMatchObject({
    outcome: "approaching_limit",
    message: "This is your last upload today.",
    status: "Uploads left today: 1 of 1",
    maxSizeBytes: 10 * KB * KB,
    resetsIn: "12h 0m",
    asksForUpgrade: false,
  });
  const id = await start(ada, aVideo(PIECE));
  await appendAll(ada, id, aVideo(PIECE));
  await ada.client.uploads.completeUpload({ id });
  expect(await ask(5)).toMatchObject({
    outcome: "refused",
    reason: "daily_limit",
    message: "You've reached your daily upload limit. Upgrade to Ultimate for unlimited uploads!",
    status: "Daily limit reached (1/1)",
    asksForUpgrade: true,
  });
  expect(await ask(11 * KB * KB)).toMatchObject({ outcome: "refused", reason: "file_size" });
  expect(await ask(5, "cell.png")).toMatchObject({ outcome: "allowed", reason: null, message: "" });
  const rich = await api.newUser({ plan: "ULTIMATE" });
  const free = await rich.client.uploads.getUploadAllowance({ name: "a.pdf", type: "", sizeBytes: 5 });
  expect(free).toMatchObject({ outcome: "allowed", status: "Unlimited uploads" });
});

test.each([
  ["video", "notes.mp4", "Unsupported file type."],
  ["image", "notes.mp4", 'File type "mp4" is not supported. Please upload a PDF or image file.'],
  ["image", "notes.pdf", "This file doesn't appear to be a valid PDF. Please ensure it's not corrupted."],
] as const)("a %s called %s is refused at its first piece because of its content", async (family, name, message) => {
  const api = await startApi();
  const ada = await api.newUser();
  const text = Buffer.alloc(2 * PIECE, "only words ");
  const id = await start(ada, text, { family, name, type: "" });
  await expect(append(ada, id, 0, text.subarray(0, PIECE))).rejects.toMatchObject({ message });
  expect((await ada.client.uploads.getUpload({ id })).upload.offset).toBe(0);
});

test("refuses pieces that are too small, too large or too long in total", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const film = aVideo(2 * PIECE);
  const id = await start(ada, film);
  await expect(append(ada, id, 0, film.subarray(0, PIECE - 1))).rejects.toMatchObject({ code: "bad_input" });
  await expect(append(ada, id, 0, Buffer.concat([film, film]))).rejects.toMatchObject({ code: "bad_input" });
  await expect(append(ada, id, 0, Buffer.alloc(16 * KB * KB + 1))).rejects.toMatchObject({ code: "too_large" });
  await expect(ada.client.uploads.appendToUpload({ id, offset: 0 }, [])).rejects.toMatchObject({ code: "bad_input" });
  expect((await ada.client.uploads.getUpload({ id })).upload.offset).toBe(0);
});

test("a connection cut within a piece leaves the upload's offset unchanged", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const film = aVideo(2 * PIECE);
  const id = await start(ada, film);
  const cut = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const head = '--x\r\ncontent-disposition: form-data; name="offset"\r\n\r\n0\r\n';
      const part = '--x\r\ncontent-disposition: form-data; name="piece"; filename="piece"\r\n\r\n';
      controller.enqueue(Buffer.concat([Buffer.from(head + part), film.subarray(0, 70_000)]));
      setTimeout(() => cut.abort(), 20);
    },
  });
  const sending = fetch(`${api.origin}/v1/uploads/${id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${ada.token}`, "content-type": "multipart/form-data; boundary=x" },
    body,
    signal: cut.signal,
    duplex: "half",
  } as RequestInit);
  await expect(sending).rejects.toThrow();
  expect((await ada.client.uploads.getUpload({ id })).upload.offset).toBe(0);
  await appendAll(ada, id, film);
  expect((await ada.client.uploads.completeUpload({ id })).component._id).toBe(id);
});

test("an account may have at most a hundred unfinished uploads", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const film = aVideo(PIECE);
  for (let i = 0; i < 100; i += 1) await start(ada, film);
  await expect(start(ada, film)).rejects.toMatchObject({ code: "too_many_requests" });
});
