import { restrictedSharp } from "../image-library.ts";
import { openForRendering, convertBitmap } from "../ocr/rasters.ts";
import { readBytes } from "../read-bytes.ts";
import { startWatchdog } from "../process/watchdog.ts";

/** The request and the answer of the process, which makes one thumbnail and exits. */
export interface ThumbnailRequest {
  path: string;
  isPdf: boolean;
  /** Larger and as JPEG, which every model server reads. */
  isForModel?: boolean;
}
export type ThumbnailAnswer = { image: Uint8Array } | { image: null };

const MAX_SIDE = 480;
const MAX_SIDE_FOR_MODEL = 1280;
const MAX_PICTURE_PIXELS = 120_000_000;
/** A longer or wider page is cropped to its beginning. */
const MAX_ASPECT = 3;

startWatchdog({ memoryBytes: 900 * 1024 * 1024, maxSilentCpuMs: 8_000 });

interface Canvases {
  create(
    width: number,
    height: number,
  ): { canvas: { toBuffer(type: "image/png"): Buffer }; context: CanvasRenderingContext2D };
}

async function renderFirstPage(bytes: Uint8Array): Promise<Buffer> {
  const document = await openForRendering(bytes);
  const page = await document.getPage(1);
  const original = page.getViewport({ scale: 1 });
  const scale =
    MAX_SIDE /
    Math.max(1, Math.min(original.width, original.height) * MAX_ASPECT, Math.max(original.width, original.height));
  const viewport = page.getViewport({ scale });
  const size = [viewport.width, viewport.height].map((side) => Math.max(1, Math.min(MAX_SIDE, Math.floor(side))));
  const { canvas, context } = (document.canvasFactory as Canvases).create(size[0] ?? 1, size[1] ?? 1);
  await page.render({ canvas: null, canvasContext: context, viewport }).promise;
  return canvas.toBuffer("image/png");
}

/** Rotated upright, small, and without metadata. */
async function createThumbnail({ path, isPdf, isForModel = false }: ThumbnailRequest): Promise<Uint8Array> {
  const bytes = await readBytes(path);
  const isBitmap = bytes[0] === 0x42 && bytes[1] === 0x4d;
  const imageBytes = isPdf ? await renderFirstPage(bytes) : isBitmap ? await convertBitmap(bytes) : bytes;
  const source = restrictedSharp(imageBytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: "none", pages: 1 });
  const side = isForModel ? MAX_SIDE_FOR_MODEL : MAX_SIDE;
  const small = source.rotate().resize(side, side, { fit: "inside", withoutEnlargement: true });
  const encoded = isForModel
    ? small.flatten({ background: "white" }).jpeg({ quality: 82 })
    : small.webp({ quality: 78 });
  return new Uint8Array(await encoded.toBuffer());
}

async function answer(request: ThumbnailRequest): Promise<void> {
  const image = await createThumbnail(request).catch(() => null);
  process.send?.({ image } satisfies ThumbnailAnswer, () => process.exit(0));
}

process.on("message", (request: ThumbnailRequest) => void answer(request));
process.on("disconnect", () => process.exit(0));
process.on("unhandledRejection", () => undefined);
