import { deflateSync } from "node:zlib";

export interface MadeLine {
  x: number;
  /** From the top of the page. */
  y: number;
  text: string;
  size?: number;
  font?: "regular" | "bold" | "italic" | "mono" | "unnamed";
}

const FONTS = {
  regular: "Helvetica",
  bold: "Helvetica-Bold",
  italic: "Helvetica-Oblique",
  mono: "Courier",
  unnamed: "Helvetica",
} as const;
/** Glyphs at control characters, named by number as TeX programs name the glyphs of bitmap fonts. */
const UNNAMED = "<</Type/Encoding/Differences[14/a14/a15 27/a27/a28/a29/a30/a31]>>";
const encodingOf = (name: keyof typeof FONTS) => (name === "unnamed" ? UNNAMED : "/WinAnsiEncoding");
const NAMES = Object.keys(FONTS) as (keyof typeof FONTS)[];
const HEIGHT = 792;

/** A small PDF of the given lines, page by page. */
export function madePdf(pages: readonly (readonly MadeLine[])[]): Uint8Array {
  return pdfOfStreams(pages.map((lines) => deflateSync(Buffer.from(drawing(lines), "latin1"))));
}

function drawing(lines: readonly MadeLine[]): string {
  const shown = lines.map(({ x, y, text, size = 10, font = "regular" }) => {
    const escaped = text.replaceAll(/[\\()]/gu, String.raw`\$&`);
    return `/${font} ${size} Tf 1 0 0 1 ${x} ${HEIGHT - y} Tm (${escaped}) Tj`;
  });
  return `BT ${shown.join("\n")} ET`;
}

interface StreamOptions {
  filter?: string;
}

/** A PDF with one page for each content stream; the streams are in their stored form. */
export function pdfOfStreams(
  streams: readonly Uint8Array[],
  { filter = "/FlateDecode" }: StreamOptions = {},
): Uint8Array {
  const first = 3 + NAMES.length;
  const kids = streams.map((_, index) => `${first + 2 * index} 0 R`).join(" ");
  const fonts = NAMES.map((name, index) => `/${name} ${3 + index} 0 R`).join(" ");
  const page = (content: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 ${HEIGHT}]/Contents ${content} 0 R/Resources<</Font<<${fonts}>>>>>>`;
  const objects: Uint8Array[] = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${streams.length}>>`,
    ...NAMES.map((name) => `<</Type/Font/Subtype/Type1/Encoding${encodingOf(name)}/BaseFont/${FONTS[name]}>>`),
  ].map((text) => Buffer.from(text));
  for (const stream of streams) {
    objects.push(Buffer.from(page(objects.length + 2)));
    const head = Buffer.from(`<</Length ${stream.length}/Filter ${filter}>>\nstream\n`);
    objects.push(Buffer.concat([head, stream, Buffer.from("\nendstream")]));
  }
  return withTable(objects);
}

/** A PDF of these objects, numbered from 1; the first is the catalogue. */
export function withTable(objects: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.7\n")];
  let length = 9;
  const offsets = objects.map((object, index) => {
    const at = length;
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    parts.push(part);
    length += part.length;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer<</Size ${size}/Root 1 0 R>>\n`;
  parts.push(Buffer.from(`${table}startxref\n${length}\n%%EOF`));
  return Buffer.concat(parts);
}
