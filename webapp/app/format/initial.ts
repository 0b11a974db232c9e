/** Nobody's first sign is longer. */
const LONGEST = 40;

/** The first sign of a name, as a reader counts them: an emoji of several parts is one. */
export const initialOf = (name: string): string =>
  [...new Intl.Segmenter().segment(name.trim().slice(0, LONGEST))][0]?.segment.toUpperCase() ?? "";
