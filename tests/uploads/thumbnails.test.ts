import { readFileSync } from "node:fs";
import { basename } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aPage } from "#tests/store/changes.ts";
import { corpusFiles } from "#tests/kit/corpus.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

async function upload(user: TestUser, bytes: Uint8Array, name: string) {
  const files = [{ field: "file", file: new Blob([new Uint8Array(bytes)]), name }];
  const { component } = await user.client.uploads.uploadImageComponent({}, files);
  return component._id;
}

const thumbnail = async (user: TestUser, componentId: string) => {
  const blob = await user.client.uploads.getPdfThumbnail({ componentId });
  return Buffer.from(await blob.arrayBuffer());
};

/** A photo of 400 by 200 pixels, left half red and right half blue, rotated by EXIF, with a location and a name in its metadata. */
const photo = () =>
  sharp({ create: { width: 800, height: 400, channels: 3, background: "#f00" } })
    .composite([{ input: { create: { width: 400, height: 400, channels: 3, background: "#00f" } }, left: 400, top: 0 }])
    .withExif({ IFD0: { Copyright: "Ada Lovelace" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

test("the first page of a PDF becomes a thumbnail, generated once", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const id = await upload(ada, await tinyPdf([["A codon names one amino acid."]]).bytes(), "genes.pdf");
  const [one, two] = await Promise.all([thumbnail(ada, id), thumbnail(ada, id)]);
  const { format, width, height } = await sharp(one).metadata();
  expect([format, Math.max(width, height) <= 480, Math.max(width, height) > 200]).toEqual(["webp", true, true]);
  expect(two.equals(one)).toBe(true);
  expect((await sharp(one).stats()).isOpaque).toBe(true);
});

test("a photo's thumbnail is upright and has no metadata", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const small = await thumbnail(ada, await upload(ada, await photo(), "cell.jpg"));
  const { width, height, exif, orientation } = await sharp(small).metadata();
  expect([width, height, exif, orientation]).toEqual([240, 480, undefined, undefined]);
  const { data } = await sharp(small).raw().toBuffer({ resolveWithObject: true });
  expect((data[0] ?? 0) > 200 && (data[2] ?? 255) < 60).toBe(true);
});

test("returns no thumbnail for missing files, other accounts' files, non-images and text files", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const id = await upload(ada, await photo(), "cell.jpg");
  const refused = { code: "not_found", message: "This file has no preview." };
  await expect(eve.client.uploads.getPdfThumbnail({ componentId: id })).rejects.toMatchObject(refused);
  await expect(eve.client.uploads.getVideoThumbnail({ componentId: id })).rejects.toMatchObject(refused);
  await expect(ada.client.uploads.getVideoThumbnail({ componentId: id })).rejects.toMatchObject(refused);
  await expect(ada.client.uploads.getPdfThumbnail({ componentId: await aPage(ada) })).rejects.toMatchObject(refused);
});

test("a video's thumbnail is a re-encoded frame sent by a browser", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const film = new Blob([Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2".padEnd(64, "\0"), "latin1")]);
  const { component } = await ada.client.uploads.uploadVideoComponent({}, [
    { field: "file", file: film, name: "a.mp4" },
  ]);
  const componentId = component._id;
  await expect(ada.client.uploads.getVideoThumbnail({ componentId })).rejects.toMatchObject({ code: "not_found" });
  const put = async (user: TestUser, bytes: Uint8Array) =>
    user.client.uploads.putVideoThumbnail({ componentId }, [
      { field: "file", file: new Blob([new Uint8Array(bytes)]), name: "frame.jpg" },
    ]);
  await expect(put(eve, await photo())).rejects.toMatchObject({ code: "not_found" });
  await expect(put(ada, Buffer.from("no picture"))).rejects.toMatchObject({ code: "unsupported_file_type" });
  await expect(put(ada, Buffer.from("\xff\xd8\xff half", "latin1"))).rejects.toMatchObject({ code: "invalid_file" });
  await expect(ada.client.uploads.putVideoThumbnail({ componentId }, [])).rejects.toMatchObject({ code: "bad_input" });
  await put(ada, await photo());
  const timed = await ada.client.uploads.putVideoThumbnail({ componentId, durationMs: 61_000 }, []);
  const address = `/v1/component/video_get_thumbnail?componentId=${componentId}`;
  expect(timed.component).toMatchObject({ content: { durationMs: 61_000, thumbnail: address }, version: 3 });
  expect((await ada.client.pages.getComponent({ id: componentId })).component).toEqual(timed.component);
  const blob = await ada.client.uploads.getVideoThumbnail({ componentId });
  const { format, exif } = await sharp(Buffer.from(await blob.arrayBuffer())).metadata();
  expect([format, exif]).toEqual(["webp", undefined]);
});

test("malicious and broken pictures are answered in time and do no harm", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const chosen = /bomb|liar|dos\.png|reallybig|broken\.png|gps|fmt_hopper\.bmp|xss|html\.gif|badrle/;
  const made: string[] = [];
  for (const path of corpusFiles("image").filter((file) => chosen.test(file))) {
    const id = await upload(ada, readFileSync(path), basename(path)).catch(() => undefined);
    const small =
      id === undefined ? undefined : await thumbnail(ada, id).catch((error: { code: string }) => error.code);
    if (Buffer.isBuffer(small)) made.push(basename(path));
    else expect([undefined, "not_found"]).toContain(small);
  }
  if (made.length > 0) expect(made).toContain("fmt_hopper.bmp");
  expect(made).not.toContain("gen_bomb_30000x30000.png");
  expect((await fetch(`${api.origin}/health`)).status).toBe(200);
});
