/** What the lesson says of codons, and what is said of it there beside. */
export const FACT = "A codon is a sequence of three nucleotides that corresponds to a specific amino acid.";
export const MORE = "The ribosome slides along the messenger RNA one codon at a time until it meets a stop codon.";

/** A page of a lecture's site, as an article with its fact and some words around it. */
export const lesson = (title: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><article><h1>${title}</h1><p id="fact">${FACT}</p><p>${MORE.repeat(3)}</p></article></html>`;
