import type { Reference } from "#shared/marketing/references.ts";
import { readBibtex } from "./read-bibtex.ts";
import { readRis } from "./read-ris.ts";

const isRis = (text: string) => /^[^\S\r\n]*TY {1,2}-/m.test(text);

/** Whether a text is RIS or BibTeX. Any other text is an identifier to look up. */
export const isReferenceFile = (text: string): boolean => isRis(text) || /^[^\S\r\n]*@\w+\s*\{/m.test(text);

/** Reads references from RIS or BibTeX. */
export const readReferences = (text: string): Omit<Reference, "id">[] =>
  isRis(text) ? readRis(text) : readBibtex(text);
