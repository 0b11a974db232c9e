// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { convertToJpeg } from "#webapp/uploads/heic-to-jpeg.ts";

const photo = () => new File([new Uint8Array(64)], "IMG_0001.HEIC", { type: "image/heic", lastModified: 7 });

/** A browser that can decode the format, as Safari does. The test environment draws nothing, so drawing is only recorded. */
function aBrowserThatReads(width: number, height: number) {
  const drawn: [width: number, height: number][] = [];
  vi.stubGlobal("createImageBitmap", async () => ({ width, height, close: () => undefined }));
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({
    drawImage: (...[, , , w, h]: unknown[]) => drawn.push([Number(w), Number(h)]),
  } as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((done, type) =>
    done(new Blob([new Uint8Array([0xff, 0xd8, 0xff])], { type: String(type) })),
  );
  return drawn;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("a phone photo becomes a JPEG with the same size and name where the browser can decode it", async () => {
  const drawn = aBrowserThatReads(4032, 3024);
  const jpeg = await convertToJpeg(photo());

  expect(jpeg).toMatchObject({ name: "IMG_0001.jpg", type: "image/jpeg", lastModified: 7, size: 3 });
  expect(drawn).toEqual([[4032, 3024]]);
});

test("a photo larger than a canvas allows is scaled down", async () => {
  const drawn = aBrowserThatReads(20_000, 12_000);
  await convertToJpeg(photo());

  expect(drawn).toEqual([[10_000, 6_000]]);
});

test("where the browser can't decode a photo, it is refused with advice", async () => {
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("The source image could not be decoded.")));

  expect(await convertToJpeg(photo())).toBeUndefined();
});
