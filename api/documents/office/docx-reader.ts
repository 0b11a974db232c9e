import { zipSync } from "fflate";
import mammoth from "mammoth";
import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import { DocumentError } from "../process/parser-messages.ts";
import { openArchive } from "./office-archive.ts";
import { parseBody } from "./html-reader.ts";
import { readBlocks } from "./html-blocks.ts";
import { replaceFormulas } from "./docx-maths.ts";
import { decodeXml } from "./xml.ts";

const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
  "p[style-name='caption'] => figcaption:fresh",
  "p[style-name='Caption'] => figcaption:fresh",
  "r[style-name='Strong'] => strong",
  "r[style-name='Emphasis'] => em",
];

const XML_PARTS = /\.(?:xml|rels)$/iu;

/** A Word file: headings by style, lists, tables as rows, notes. Images are omitted and nothing is fetched. */
export async function readDocx(bytes: Uint8Array, reportAlive: () => void): Promise<FlowBlock[]> {
  const parts = openArchive(bytes, (name) => XML_PARTS.test(name));
  const buffer = Buffer.from(zipSync(Object.fromEntries(withPlainMaths(parts)), { level: 0 }));
  reportAlive();
  const { value } = await convert(buffer);
  reportAlive();
  const body = parseBody(value);
  reportAlive();
  return readBlocks(body);
}

async function convert(buffer: Buffer): Promise<{ value: string }> {
  try {
    return await mammoth.convertToHtml(
      { buffer },
      {
        styleMap: STYLES,
        // Embedded style maps are untrusted input.
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
      },
    );
  } catch (error) {
    throw new DocumentError(error instanceof RangeError ? "too_large" : "corrupt");
  }
}

/** The name of a field's characters or of its instruction, in any prefix, where a tag begins or ends. */
const FIELD_TAG = /(<\/?(?:[^<>:\s]*:)?)(?:fldChar|instrText)/gu;

/**
 * Passes the converter no fields, since it looks through all open ones at each run of text, and through the whole
 * instruction at each of a field's characters. Only links and boxes to tick are made from them, which blocks lack; the
 * text between their characters stays. Names are replaced, not removed, so that no new ones arise.
 */
export const withoutFields = (xml: string): string => xml.replaceAll(FIELD_TAG, "$1proofErr");

/** The converter ignores formulas, so their characters are passed to it as text. */
function* withPlainMaths(parts: ReadonlyMap<string, Uint8Array>): Generator<[string, Uint8Array]> {
  for (const [name, part] of parts) {
    const text = withoutFields(decodeXml(part));
    yield [name, new TextEncoder().encode(text.includes("<m:oMath") ? replaceFormulas(text) : text)];
  }
}
