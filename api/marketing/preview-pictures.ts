import { existsSync } from "node:fs";
import { join } from "node:path";
import { drawPreview, PREVIEW_HEIGHT, PREVIEW_WIDTH } from "#shared/marketing/draw-preview.ts";

const FAMILY = "Preview Serif";
const MAX_CACHED = 100;

/** Draws the preview pictures of posts and topics, and caches the most recently used. */
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
    const drawing = cache.get(name) ?? draw(name);
    // Move the picture to the end, so that the least recently used one is removed first.
    cache.delete(name);
    cache.set(name, drawing);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    return drawing;
  };
}
