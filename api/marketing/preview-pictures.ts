import { existsSync } from "node:fs";
import { join } from "node:path";
import { drawPreview, PREVIEW_HEIGHT, PREVIEW_WIDTH } from "#shared/marketing/draw-preview.ts";

const FAMILY = "Preview Serif";
const MAX_CACHED = 100;

/** Draws the pictures of posts and topics for links, and keeps the latest. */
export function createPreviewPictures(siteFolder: string): (name: string) => Promise<Buffer> {
  const cache = new Map<string, Promise<Buffer>>();
  let family: string | undefined;
  const draw = async (name: string) => {
    const { createCanvas, GlobalFonts } = await import("@napi-rs/canvas");
    const font = join(siteFolder, "preview.woff2");
    family ??= existsSync(font) && GlobalFonts.registerFromPath(font, FAMILY) !== null ? `"${FAMILY}", serif` : "serif";
    const canvas = createCanvas(PREVIEW_WIDTH, PREVIEW_HEIGHT);
    drawPreview(canvas.getContext("2d"), name, family);
    return canvas.encode("png");
  };
  return (name) => {
    const known = cache.get(name) ?? draw(name);
    // The one used last is the last to go.
    cache.delete(name);
    cache.set(name, known);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    return known;
  };
}
