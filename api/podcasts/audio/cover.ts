import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { createCanvas, GlobalFonts, type SKRSContext2D } from "@napi-rs/canvas";

const SIDE = 600;
const MARGIN = 50;
const FONT = "Podcast Cover";
const MAX_TITLE_LINES = 4;
/**
 * Backgrounds, each with two lighter line colours: colours of the product and of folders, dark enough for white text.
 */
const PALETTES: readonly (readonly [background: string, line: string, light: string])[] = [
  ["#24406b", "#7f9cc9", "#c9d7ec"],
  ["#1f4d3a", "#6fa98c", "#c4e2d2"],
  ["#5a2a4a", "#b382a0", "#e6cddd"],
  ["#3d3a6b", "#8f8bc4", "#d2d0ee"],
  ["#5b3a23", "#b08e72", "#e5d5c7"],
  ["#24505a", "#74a5b0", "#c8e0e5"],
];

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
let hasFont: boolean | undefined;

function loadFont(): boolean {
  hasFont ??= (() => {
    const pdfjs = createRequire(import.meta.url).resolve("pdfjs-dist/package.json");
    return (
      GlobalFonts.registerFromPath(pdfjs.replace(/package\.json$/u, "standard_fonts/LiberationSans-Bold.ttf"), FONT) !==
      null
    );
  })();
  return hasFont;
}

function wrap(context: SKRSContext2D, text: string, maxWidth: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/u)) {
    const last = lines.at(-1);
    if (last !== undefined && context.measureText(`${last} ${word}`).width <= maxWidth)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  if (lines.length <= MAX_TITLE_LINES) return lines;
  return [...lines.slice(0, MAX_TITLE_LINES - 1), `${lines[MAX_TITLE_LINES - 1]}…`];
}

function drawWaves(context: SKRSContext2D, seed: Buffer, [, line, light]: readonly [string, string, string]): void {
  const base = SIDE * 0.74;
  const height = SIDE * 0.13;
  const length = SIDE * (0.5 + (seed[1] ?? 0) / 640);
  const phase = ((seed[2] ?? 0) / 255) * Math.PI * 2;
  const waveAt = (x: number, shift: number) => base + Math.sin((x / length) * Math.PI * 2 + phase + shift) * height;
  context.lineWidth = 2;
  context.strokeStyle = line;
  for (let x = 12; x < SIDE; x += 28) {
    context.beginPath();
    context.moveTo(x, waveAt(x, 0));
    context.lineTo(x, waveAt(x, Math.PI));
    context.stroke();
  }
  for (const [shift, color] of [
    [0, light],
    [Math.PI, line],
  ] as const) {
    context.lineWidth = 4;
    context.strokeStyle = color;
    context.beginPath();
    for (let x = -4; x <= SIDE + 4; x += 4) context.lineTo(x, waveAt(x, shift));
    context.stroke();
  }
}

/** Draws the cover of an episode: its title over two waves whose colour and form follow from its id. */
export function drawCover({ id, title, subtitle }: { id: string; title: string; subtitle: string }): Buffer {
  const seed = createHash("sha256").update(id).digest();
  const palette = PALETTES[(seed[0] ?? 0) % PALETTES.length] ?? ["#24406b", "#7f9cc9", "#c9d7ec"];
  const canvas = createCanvas(SIDE, SIDE);
  const context = canvas.getContext("2d");
  context.fillStyle = palette[0];
  context.fillRect(0, 0, SIDE, SIDE);
  drawWaves(context, seed, palette);
  if (loadFont() && !WIDE.test(title)) {
    context.fillStyle = "#ffffff";
    let size = 64;
    const fit = () => {
      context.font = `bold ${size}px "${FONT}"`;
      return wrap(context, title, SIDE - 2 * MARGIN);
    };
    let lines = fit();
    while (
      size > 34 &&
      (lines.length > 3 || lines.some((text) => context.measureText(text).width > SIDE - 2 * MARGIN))
    ) {
      size -= 6;
      lines = fit();
    }
    for (const [index, text] of lines.entries()) context.fillText(text, MARGIN, MARGIN + size + index * size * 1.16);
    context.fillStyle = palette[2];
    context.font = `24px "${FONT}"`;
    context.fillText(subtitle, MARGIN, MARGIN + size + lines.length * size * 1.16, SIDE - 2 * MARGIN);
  }
  return canvas.toBuffer("image/png");
}
