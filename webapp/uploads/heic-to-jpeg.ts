import { logWarning } from "#webapp/app/log.ts";

/** Exceeds the largest phone photos and stays within the canvas limits of all browsers. */
const MAX_PIXELS = 60_000_000;
const QUALITY = 0.92;

/**
 * Converts a HEIC photo to an upright JPEG if the browser can decode it, as Safari can; otherwise undefined. No decoder
 * library has a compatible licence, and no other browser decodes HEIC.
 */
export async function convertToJpeg(photo: File): Promise<File | undefined> {
  const picture = await createImageBitmap(photo).catch(() => undefined);
  if (!picture) return undefined;
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (picture.width * picture.height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  canvas.width = 0;
  if (!bytes) {
    logWarning("Could not convert a photo to JPEG", new Error("The canvas returned no data"));
    return undefined;
  }
  const name = `${photo.name.replace(/\.hei[cf]s?$/iu, "")}.jpg`;
  return new File([bytes], name, { type: "image/jpeg", lastModified: photo.lastModified });
}
