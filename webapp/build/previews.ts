import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createCanvas, GlobalFonts, type SKRSContext2D } from "@napi-rs/canvas";

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 96;
const LINE_HEIGHT = 88;
const MAX_LINES = 4;
const FAMILY = "Preview Serif";

interface Preview {
  /** The address of the picture. */
  picture: string;
  name: string;
}

/** Draws the picture that chat apps show for a link: the page's name on paper, with one lit line. */
export async function drawPreviews(folder: string, pages: readonly Preview[]): Promise<void> {
  const font = createRequire(import.meta.url).resolve(
    "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
  );
  const isRegistered = GlobalFonts.registerFromPath(font, FAMILY) !== null;
  const family = isRegistered ? `"${FAMILY}", serif` : "serif";
  for (const { picture, name } of pages) {
    const canvas = createCanvas(WIDTH, HEIGHT);
    draw(canvas.getContext("2d"), name, family);
    const file = join(folder, picture);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await canvas.encode("png"));
  }
}

function draw(context: SKRSContext2D, name: string, family: string): void {
  context.fillStyle = "#fbfaf7";
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.font = `600 34px ${family}`;
  context.fillStyle = "#57544c";
  context.fillText("Lamplight", MARGIN, MARGIN + 20);
  context.font = `600 72px ${family}`;
  const lines = splitLines(context, name).slice(0, MAX_LINES);
  const top = HEIGHT - MARGIN - (lines.length - 1) * LINE_HEIGHT;
  const last = lines.at(-1) ?? "";
  context.fillStyle = "#ffe7ab";
  context.fillRect(MARGIN - 12, top + (lines.length - 1) * LINE_HEIGHT - 62, context.measureText(last).width + 24, 84);
  context.fillStyle = "#1c1b18";
  for (const [index, line] of lines.entries()) context.fillText(line, MARGIN, top + index * LINE_HEIGHT);
}

function splitLines(context: SKRSContext2D, text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const extended = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && context.measureText(extended).width <= WIDTH - 2 * MARGIN)
      lines[lines.length - 1] = extended;
    else lines.push(word);
  }
  return lines;
}
