/** The lesson's statement about codons. */
export const FACT = "A codon is a sequence of three nucleotides that corresponds to a specific amino acid.";
export const MORE = "The ribosome slides along the messenger RNA one codon at a time until it meets a stop codon.";

/** A lecture page with an article and some surrounding text. */
export const lesson = (title: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><article><h1>${title}</h1><p id="fact">${FACT}</p><p>${MORE.repeat(3)}</p></article></html>`;
