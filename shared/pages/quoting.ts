/** Words as they are compared: how they are written and broken into lines says nothing. */
export const foldWords = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Whether the quoted words stand in a text, one after the other. */
export const holdsQuote = (text: string, quote: string): boolean =>
  ` ${foldWords(text)} `.includes(` ${foldWords(quote)} `);
