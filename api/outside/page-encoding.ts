import { isUtf8 } from "node:buffer";

/**
 * Bytes at the start of a page in which its encoding label is searched. Browsers scan the first 1,024 bytes, and accept
 * a later label too.
 * https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
 */
const MAX_META_BYTES = 2048;
const HEADER_CHARSET = /charset\s*=\s*["']?\s*([\w.:-]+)/i;
const META_CHARSET = /<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w.:-]+)/i;

/** Byte order marks of UTF-8 and UTF-16, which win over a label. https://encoding.spec.whatwg.org/#bom-sniff */
const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
];

const startsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte);

/** The encoding that a byte order mark names; undefined without one. */
export const readByteOrderMark = (bytes: Uint8Array): string | undefined =>
  BYTE_ORDER_MARKS.find(([, mark]) => startsWith(bytes, mark))?.[0];

/** Encodings of one byte a character: text in one of them with letters beyond ASCII is hardly ever valid UTF-8. */
const SINGLE_BYTE = /^(?:ibm866|iso-8859-|koi8-|macintosh|windows-|x-mac-)/;

/** The encoding that a label names; undefined for an unknown one. */
function readLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Whether a text labelled with a single-byte encoding is valid UTF-8, so that the label must be wrong. */
const isMislabelled = (encoding: string | undefined, bytes: Uint8Array) =>
  encoding !== undefined && SINGLE_BYTE.test(encoding) && isUtf8(bytes);

/**
 * The encoding of a page or text: from its byte order mark, the label of its server or its own label. Undefined if none
 * of them names a known encoding.
 */
export function findEncoding(contentType: string, bytes: Uint8Array): string | undefined {
  const marked = readByteOrderMark(bytes);
  if (marked !== undefined) return marked;
  const start = Buffer.from(bytes.subarray(0, MAX_META_BYTES)).toString("latin1");
  const [serverLabel, ownLabel] = [HEADER_CHARSET.exec(contentType)?.[1], META_CHARSET.exec(start)?.[1]];
  const encoding = readLabel(serverLabel ?? ownLabel ?? "");
  // The label itself was readable as ASCII, so the page is not in UTF-16.
  if (serverLabel === undefined && encoding?.startsWith("utf-16") === true) return "utf-8";
  return isMislabelled(encoding, bytes) ? "utf-8" : encoding;
}
