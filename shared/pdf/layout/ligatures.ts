/**
 * Ligatures that TeX fonts encode as control characters (encoding T1, and OT1 unless the code counts as white space).
 * If such a font is embedded as a bitmap font, the file has no mapping to letters, and the extracted text contains the
 * raw codes.
 */
const LIGATURES: ReadonlyMap<string, string> = new Map([
  ["\u000E", "ffi"],
  ["\u000F", "ffl"],
  ["\u001B", "ff"],
  ["\u001C", "fi"],
  ["\u001D", "fl"],
  ["\u001E", "ffi"],
  ["\u001F", "ffl"],
]);

/** Ligatures inside a word: after a letter, or before a lower-case one. */
// oxlint-disable-next-line no-control-regex -- the pattern searches for control characters
const WITHIN_WORD = /(?<=\p{L})[\u000E\u000F\u001B-\u001F]|[\u000E\u000F\u001B-\u001F](?=\p{Ll})/gu;

/** Text of a PDF page with these ligatures expanded. */
export const expandLigatures = (text: string): string =>
  text.replaceAll(WITHIN_WORD, (code) => LIGATURES.get(code) ?? code);
