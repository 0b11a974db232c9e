import { fileURLToPath } from "node:url";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { restrictedSharp } from "../image-library.ts";
import { DocumentError } from "../process/parser-messages.ts";

/** A page or image as OCR input. `scale` is pixels per PDF point or per original image pixel. */
export interface Raster {
  image: Buffer;
  width: number;
  height: number;
  scale: number;
}

const POINTS_PER_INCH = 72;
const DOTS_PER_INCH = 200;
const MAX_PAGE_PIXELS = 12_000_000;
/** Photos have about 50 million pixels; more is likely a decompression bomb. */
const MAX_PICTURE_PIXELS = 120_000_000;
const LONG_SIDE = 2_600;
/** Text in smaller images is enlarged two to three times for recognition. */
const SMALL_SIDE = 1_300;
const MAX_ENLARGED = 3;
const MIN_BMP_BYTES = 26;
const MAX_BMP_PIXELS = 40_000_000;

const packageFolder = fileURLToPath(new URL(".", import.meta.resolve("pdfjs-dist/package.json")));

/** Opens a PDF for rendering. Throws what pdf.js throws. */
export function openForRendering(data: Uint8Array): Promise<PDFDocumentProxy> {
  return getDocument({
    data,
    cMapUrl: `${packageFolder}cmaps/`,
    standardFontDataUrl: `${packageFolder}standard_fonts/`,
    wasmUrl: `${packageFolder}wasm/`,
    maxImageSize: MAX_PICTURE_PIXELS,
    isOffscreenCanvasSupported: false,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  }).promise;
}

interface Canvases {
  create(
    width: number,
    height: number,
  ): { canvas: { toBuffer(type: "image/png"): Buffer }; context: CanvasRenderingContext2D };
}

/** Renders one page of a PDF with its rotation. */
export async function renderPage(document: PDFDocumentProxy, number: number): Promise<Raster> {
  const page = await document.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const targetScale = DOTS_PER_INCH / POINTS_PER_INCH;
  const scale = Math.min(targetScale, Math.sqrt(MAX_PAGE_PIXELS / Math.max(1, width * height)));
  const viewport = page.getViewport({ scale });
  const size = { width: Math.max(1, Math.floor(viewport.width)), height: Math.max(1, Math.floor(viewport.height)) };
  const { canvas, context } = (document.canvasFactory as Canvases).create(size.width, size.height);
  await page.render({ canvas: null, canvasContext: context, viewport }).promise;
  const image = canvas.toBuffer("image/png");
  page.cleanup();
  return { image, ...size, scale };
}

/** Rotates an image upright, and makes it grey and large enough for OCR. Throws DocumentError. */
export async function prepareImage(bytes: Uint8Array): Promise<Raster> {
  try {
    const isBitmap = bytes[0] === 0x42 && bytes[1] === 0x4d;
    const source = restrictedSharp(isBitmap ? await convertBitmap(bytes) : bytes, {
      limitInputPixels: MAX_PICTURE_PIXELS,
      failOn: "none",
      pages: 1,
    }).rotate();
    const { width, height } = getUprightSize(await source.metadata());
    if (width * height > MAX_PICTURE_PIXELS) throw new DocumentError("too_large");
    const longSide = Math.max(width, height);
    const enlargement = longSide < SMALL_SIDE ? Math.min(MAX_ENLARGED, SMALL_SIDE / longSide + 0.5) : 1;
    const scale = Math.min(enlargement, LONG_SIDE / longSide);
    const resized = source
      .flatten({ background: "#fff" })
      .greyscale()
      .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), { fit: "fill" });
    const { data, info } = await resized.png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true });
    return { image: data, width: info.width, height: info.height, scale };
  } catch (error) {
    throw error instanceof DocumentError ? error : new DocumentError("corrupt");
  }
}

/** The size after applying the EXIF orientation. */
function getUprightSize(metadata: { width: number; height: number; orientation?: number | undefined }): {
  width: number;
  height: number;
} {
  const isOnItsSide = (metadata.orientation ?? 1) >= 5;
  return isOnItsSide
    ? { width: metadata.height, height: metadata.width }
    : { width: metadata.width, height: metadata.height };
}

/** The image library cannot read BMP, but the canvas library can. */
export async function convertBitmap(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.byteLength < MIN_BMP_BYTES) throw new DocumentError("corrupt");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const claimed = Math.abs(view.getInt32(18, true)) * Math.abs(view.getInt32(22, true));
  if (claimed > MAX_BMP_PIXELS) throw new DocumentError("too_large");
  const image = await loadImage(Buffer.from(bytes));
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toBuffer("image/png");
}

/** Rotates a raster clockwise by quarter turns. */
export async function rotateRaster({ image, width, height, scale }: Raster, quarters: number): Promise<Raster> {
  const rotated = await restrictedSharp(image)
    .rotate(90 * quarters)
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { image: rotated, scale, ...(quarters % 2 === 1 ? { width: height, height: width } : { width, height }) };
}

/** Scales a raster to half its size. */
export async function halveRaster({ image, width, height, scale }: Raster): Promise<Raster> {
  const half = { width: Math.max(1, Math.round(width / 2)), height: Math.max(1, Math.round(height / 2)) };
  const small = await restrictedSharp(image)
    .resize(half.width, half.height, { fit: "fill" })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { image: small, ...half, scale: scale / 2 };
}
