/**
 * Letters that TeX's own fonts keep at the places of control characters (encodings T1 and, as far as no reader takes the
 * place for white space, OT1). Where such a font is set as pictures of its letters, nothing in the file says what they
 * are, and the text comes with the bare places.
 */
const SPELLED: ReadonlyMap<string, string> = new Map([
  ["\u000E", "ffi"],
  ["\u000F", "ffl"],
  ["\u001B", "ff"],
  ["\u001C", "fi"],
  ["\u001D", "fl"],
  ["\u001E", "ffi"],
  ["\u001F", "ffl"],
]);

/** One in a word: a letter stands before it, or a small one behind it. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const WITHIN_WORD = /(?<=\p{L})[\u000E\u000F\u001B-\u001F]|[\u000E\u000F\u001B-\u001F](?=\p{Ll})/gu;

/** A text of a PDF page with those ligatures spelled out. */
export const spellLigatures = (text: string): string =>
  text.replaceAll(WITHIN_WORD, (place) => SPELLED.get(place) ?? place);
