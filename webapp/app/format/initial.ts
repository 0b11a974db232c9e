/** No first grapheme is longer than this (UTF-16 units). */
const MAX_GRAPHEME_LENGTH = 40;

/** The first grapheme of a name, so that an emoji of several code points stays whole. */
export const getInitial = (name: string): string =>
  [...new Intl.Segmenter().segment(name.trim().slice(0, MAX_GRAPHEME_LENGTH))][0]?.segment.toUpperCase() ?? "";
