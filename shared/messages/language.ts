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

type Decimals = Pick<Intl.NumberFormatOptions, "minimumFractionDigits" | "maximumFractionDigits">;

/** A share as a percentage in the document's language: "25%", in German "25 %"; without decimals unless requested. */
export const formatShare = (share: number, decimals: Decimals = {}): string =>
  new Intl.NumberFormat(documentLanguage(), { style: "percent", ...decimals }).format(share);
