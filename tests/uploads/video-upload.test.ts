import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { classifyFile, classifyVideo } from "#shared/uploads/rules.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { aChange, aPage, send } from "#tests/store/changes.ts";
import { corpusFiles } from "#tests/kit/corpus.ts";

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text.padEnd(64, "\0"), "latin1"));
const film = bytesOf("\0\0\0\x20ftypisom\0\0\x02\0isomiso2");

const upload = (user: TestUser, bytes: Uint8Array<ArrayBuffer>, name: string, input = {}) =>
  user.client.uploads.uploadVideoComponent(input, [{ field: "file", file: new Blob([bytes]), name }]);

test.each([
  ["\0\0\0\x20ftypisom", "mp4"],
  ["\0\0\0\x1cftypM4V ", "mp4"],
  ["\0\0\0\x14ftypqt  ", "mov"],
  ["\0\0\x7fBmoov", "mov"],
  ["\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x10B\x82\x84webm", "webm"],
  ["OggS\0\x02", "ogv"],
  ["RIFF\x10\0\0\0AVI LIST", "avi"],
])("accepts %j as a video stored as .%s", (head, extension) => {
  const verdict = classifyVideo({ name: "x", type: "", sizeBytes: 64, head: bytesOf(head) });
  expect(verdict).toMatchObject({ ok: true, type: { extension, countsAgainstDay: true, family: "video" } });
});

test.each([
  ["\0\0\0\x20ftypavif", "a picture"],
  ["\0\0\0\x20ftypM4A ", "audio only"],
  ["RIFF\x10\0\0\0WAVEfmt ", "audio only"],
  ["\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x10B\x82\x88matroska", "another container"],
  ["%PDF-1.7", "a document"],
  ["only words", "plain text"],
])("rejects %j (%s) as a video", (head) => {
  const verdict = classifyVideo({ name: "x.mp4", type: "video/mp4", sizeBytes: 64, head: bytesOf(head) });
  expect(verdict).toEqual({ ok: false, code: "unsupported_file_type", why: { reason: "video_type_unsupported" } });
});

test("a video becomes a video component with its name and supports range requests", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const componentId = ulid();
  const { component } = await upload(ada, film, "Lecture_9.mp4", { pageId, componentId });
  expect(component).toMatchObject({
    _id: componentId,
    type: "video",
    pageId,
    content: { videoType: "file", title: "Lecture 9", file: { name: "Lecture_9.mp4" } },
  });
  expect(await upload(ada, film, "other.mp4", { componentId })).toEqual({ component });
  expect((await ada.client.user.getUsage({})).fileUploads).toBe(1);
  if (component.type !== "video") throw new Error("not a video");
  const part = await fetch(api.origin + component.content.url, {
    headers: { authorization: `Bearer ${ada.token}`, range: "bytes=4-7" },
  });
  expect([part.status, part.headers.get("content-type"), await part.text()]).toEqual([206, "video/mp4", "ftyp"]);
});

test("refuses a video that is over the plan's size, of another type, empty, or on another account's page", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser({ plan: "FREE" }), await api.newUser()];
  const big = new Uint8Array(10 * 1024 * 1024 + 60_000);
  big.set(film);
  await expect(upload(ada, big, "long.mp4")).rejects.toMatchObject({
    code: "too_large",
    message: "File too large (10.1MB). Your plan allows up to 10MB. Upgrade for 300MB files!",
  });
  const refused = { code: "unsupported_file_type", message: "Unsupported file type." };
  await expect(upload(ada, bytesOf("%PDF-1.7"), "long.mp4")).rejects.toMatchObject(refused);
  const empty = { code: "invalid_file", message: "The file is empty. Please select a valid file." };
  await expect(upload(ada, new Uint8Array(0), "long.mp4")).rejects.toMatchObject(empty);
  await expect(upload(ada, film, "a.mp4", { pageId: await aPage(eve) })).rejects.toMatchObject({ code: "not_found" });
  await expect(ada.client.uploads.uploadVideoComponent({}, [])).rejects.toMatchObject({ code: "bad_input" });
  expect((await ada.client.user.getUsage({})).fileUploads).toBe(0);
});

test("a video from the offline queue becomes a video component", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const id = ulid();
  const file = { base64: Buffer.from(film).toString("base64"), name: "a.mp4", type: "video/mp4", size: film.length };
  await ada.client.sync.sendChanges({ payload: [aChange("component_video_upload", id, { pageId, file })] });
  expect((await ada.client.pages.getComponent({ id })).component).toMatchObject({ type: "video" });
});

test("detects the type of every corpus file by its content, whatever its name", () => {
  const wrong: string[] = [];
  for (const folder of ["video", "image", "office"])
    for (const path of corpusFiles(folder)) {
      const name = basename(path);
      const bytes = readFileSync(path);
      const head = bytes.subarray(0, 4100);
      const offered = { name: "x", type: "", sizeBytes: bytes.length, head };
      const isFilm = /^(fixture|h264|hevc|invalid|metadata|minimal|sample_10s_video|tiny_(Audio|Mpeg4|webm))/.test(
        name,
      );
      if (folder === "video" && isFilm !== classifyVideo(offered).ok && !name.includes("ogg")) wrong.push(path);
      if (folder !== "video" && classifyVideo(offered).ok && !/\.(mov|mp4)$/.test(name)) wrong.push(path);
      const verdict = classifyFile({ ...offered, name });
      if (verdict.ok && verdict.type.family !== "image") wrong.push(path);
    }
  expect(wrong).toEqual([]);
});

test("an upload without a page that is sent several times at once makes one page, which has the file", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const componentId = ulid();
  await Promise.all([1, 2, 3].map(() => upload(ada, film, "a.mp4", { componentId })));
  const { pages } = (await ada.client.pages.getContent({})).content;
  expect(pages).toMatchObject([{ components: [componentId] }]);
});

test("an upload whose page was deleted after a failed attempt gets another page", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const componentId = ulid();
  let isBroken = true;
  beforeStoreCall(api.deps.store, (call) => {
    if (isBroken && call === "components.insert") throw new Error("the store is broken");
  });
  await expect(upload(ada, film, "a.mp4", { componentId })).rejects.toThrow();
  isBroken = false;
  const pageIds = async () => (await ada.client.pages.getContent({})).content.pages.map(({ _id }) => _id);
  const [first = ""] = await pageIds();
  await send(ada, aChange("page_delete", first, {}));
  const { component } = await upload(ada, film, "a.mp4", { componentId });
  expect(await pageIds()).toEqual([component.pageId]);
});
