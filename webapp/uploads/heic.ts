import { logTrouble } from "#webapp/app/log.ts";

/** What a phone's camera gives at most, and what a canvas may hold everywhere. */
const MAX_PIXELS = 60_000_000;
const QUALITY = 0.92;

/**
 * A photo in the phone's own format as a JPEG, upright, where this browser can read it, as Safari does; undefined where
 * it cannot. No library for it has a licence that goes with ours, and browsers other than Safari read none of it.
 */
export async function asJpeg(photo: File): Promise<File | undefined> {
  const picture = await createImageBitmap(photo).catch(() => undefined);
  if (!picture) return undefined;
  const shrink = Math.min(1, Math.sqrt(MAX_PIXELS / (picture.width * picture.height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * shrink);
  canvas.height = Math.round(picture.height * shrink);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  canvas.width = 0;
  if (!bytes) {
    logTrouble("A photo could not be made a JPEG", new Error("No bytes came of it"));
    return undefined;
  }
  const name = `${photo.name.replace(/\.hei[cf]s?$/iu, "")}.jpg`;
  return new File([bytes], name, { type: "image/jpeg", lastModified: photo.lastModified });
}
