import type { Reference } from "#shared/marketing/references.ts";
import { writeBibtex } from "./write-bibtex.ts";
import { writeRis } from "./write-ris.ts";

/** Writes the list as a file for reference managers. */
export const writeReferences = (references: readonly Reference[], format: "bibtex" | "ris"): string =>
  references
    .map((reference, index) => (format === "bibtex" ? writeBibtex(reference, index) : writeRis(reference)))
    .join("\n");
