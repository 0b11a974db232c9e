const UTF16 = [
  [0xff, 0xfe, "utf-16le"],
  [0xfe, 0xff, "utf-16be"],
] as const;

const EAST_ASIAN = ["shift_jis", "gb18030", "euc-kr"] as const;
const LETTERS = /[\u3040-\u30FF\u4E00-\u9FFF\uAC00-\uD7AF]/gu;

/** Decodes UTF-8, UTF-16 with a byte order mark, or the most plausible legacy encoding. */
export function decodeText(bytes: Uint8Array): string {
  const bomEncoding = UTF16.find(([first, second]) => bytes[0] === first && bytes[1] === second);
  if (bomEncoding) return new TextDecoder(bomEncoding[2]).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decodeLegacy(bytes);
  }
}

/** Western text has few bytes above 127, and rarely two in a row. */
function decodeLegacy(bytes: Uint8Array): string {
  const western = new TextDecoder("windows-1252").decode(bytes);
  const sample = bytes.subarray(0, 64_000);
  let high = 0;
  for (const byte of sample) if (byte > 127) high++;
  if (high < 0.2 * sample.length) return western;
  let best = { text: western, share: 0.5 };
  for (const encoding of EAST_ASIAN) {
    const text = new TextDecoder(encoding).decode(bytes);
    const faults = text.split("\uFFFD").length - 1;
    const share = (text.match(LETTERS)?.length ?? 0) / Math.max(1, text.replaceAll(/[\s\u0021-\u007E]/gu, "").length);
    if (faults === 0 && share > best.share) best = { text, share };
  }
  return best.text;
}
