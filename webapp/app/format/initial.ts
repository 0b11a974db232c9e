/** No first grapheme is longer than this (UTF-16 units). */
const LONGEST = 40;

/** The first grapheme of a name, so that an emoji of several code points stays whole. */
export const initialOf = (name: string): string =>
  [...new Intl.Segmenter().segment(name.trim().slice(0, LONGEST))][0]?.segment.toUpperCase() ?? "";
