import { tinyPdf } from "./pdf/tiny-pdf.ts";

/** Four pages on genes and proteins, used where no textbook is available. */
const pages = [
  [
    "A gene is a stretch of DNA that holds the instructions for one product.",
    "A codon is a sequence of three nucleotides that names one amino acid.",
    "The genetic code is nearly universal because almost all species read codons alike.",
    "The code is degenerate because several codons name the same amino acid.",
    "A reading frame is the division of a message into consecutive codons.",
    "A frameshift mutation is an insertion or deletion that moves the reading frame.",
  ],
  [
    "Transcription is the synthesis of RNA from a template of DNA.",
    "RNA polymerase is the enzyme that reads the template strand of DNA.",
    "A promoter is the region of DNA to which RNA polymerase binds.",
    "The template strand is the strand of DNA that the polymerase reads.",
    "A terminator is a sequence that ends the transcription of a gene.",
    "A transcription factor is a protein that helps the polymerase to bind a promoter.",
  ],
  [
    "An intron is a part of the primary transcript that is cut out before translation.",
    "An exon is a part of the primary transcript that remains in the mature message.",
    "A spliceosome is the complex of proteins and RNA that removes the introns.",
    "The poly-A tail is a string of adenines that protects the message from decay.",
    "The cap is a modified guanine that marks the front end of the message.",
    "Alternative splicing lets one gene give rise to several different proteins.",
  ],
  [
    "Translation is the synthesis of a protein from the message of an mRNA.",
    "A ribosome is the particle on which amino acids are joined to a protein.",
    "An anticodon is the triplet of a transfer RNA that pairs with a codon.",
    "A start codon is the triplet at which the ribosome begins to translate.",
    "A stop codon is the triplet at which the ribosome releases the finished chain.",
    "A polysome is a message that several ribosomes translate at the same time.",
  ],
];

export const ownChapter = (): Promise<Uint8Array> => tinyPdf(pages).bytes();
