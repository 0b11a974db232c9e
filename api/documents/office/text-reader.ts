import { passagesFromText } from "#shared/text/plain-text.ts";
import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import { DocumentError } from "../process/parser-messages.ts";
import { decodeText } from "./decode-text.ts";

/** Characters parsed at once. */
const SLICE_CHARS = 200_000;

/** Plain text or Markdown. Throws DocumentError for binary content. */
export function readText(bytes: Uint8Array): FlowBlock[] {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!isUtf16 && bytes.includes(0)) throw new DocumentError("corrupt");
  const text = decodeText(bytes);
  const blocks: FlowBlock[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + SLICE_CHARS;
    const blank = end < text.length ? text.lastIndexOf("\n\n", end) : text.length;
    const to = blank > from ? blank : Math.min(end, text.length);
    for (const { id: _id, locator: _locator, level, ...block } of passagesFromText(text.slice(from, to)))
      blocks.push(level === undefined ? block : { ...block, level });
    from = to;
  }
  return blocks;
}
