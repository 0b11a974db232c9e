/** Available interface languages, each by its own name. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

/** Pseudo-locale: mirrored English, to test right-to-left layouts. */
export const MIRRORED = "en-x-mirrored";

interface GlobalWithDocument {
  document?: { documentElement: { lang: string } };
}

/** The language of the current document; English without a document, as on the server. */
export const documentLanguage = (): string => (globalThis as GlobalWithDocument).document?.documentElement.lang || "en";

/** A share as a percentage of whole numbers, in the document's language: "25%", in German "25 %". */
export const formatShare = (share: number): string =>
  new Intl.NumberFormat(documentLanguage(), { style: "percent" }).format(share);
