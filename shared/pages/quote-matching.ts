/** Normalises text for comparison: ignores case, punctuation and line breaks. */
export const normaliseWords = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Whether a text contains the quoted words in sequence. */
export const containsQuote = (text: string, quote: string): boolean =>
  ` ${normaliseWords(text)} `.includes(` ${normaliseWords(quote)} `);
