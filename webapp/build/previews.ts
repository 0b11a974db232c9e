import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import { drawPreview, PREVIEW_HEIGHT, PREVIEW_WIDTH } from "#shared/marketing/draw-preview.ts";

const FAMILY = "Preview Serif";

interface Preview {
  /** Path of the picture. */
  picture: string;
  name: string;
}

const fontPath = () =>
  createRequire(import.meta.url).resolve(
    "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
  );

/** Copies the font for the server, which draws the pictures of posts that are written after the build. */
export const copyPreviewFont = (folder: string): void => copyFileSync(fontPath(), join(folder, "preview.woff2"));

/** Draws the picture of each page. */
export async function drawPreviews(folder: string, pages: readonly Preview[]): Promise<void> {
  const isRegistered = GlobalFonts.registerFromPath(fontPath(), FAMILY) !== null;
  const family = isRegistered ? `"${FAMILY}", serif` : "serif";
  for (const { picture, name } of pages) {
    const canvas = createCanvas(PREVIEW_WIDTH, PREVIEW_HEIGHT);
    drawPreview(canvas.getContext("2d"), name, family);
    const file = join(folder, picture);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await canvas.encode("png"));
  }
}
