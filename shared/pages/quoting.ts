/** Normalises text for comparison: ignores case, punctuation and line breaks. */
export const foldWords = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Whether a text contains the quoted words in sequence. */
export const holdsQuote = (text: string, quote: string): boolean =>
  ` ${foldWords(text)} `.includes(` ${foldWords(quote)} `);
