/** Languages in which the whole interface is written, each by its own name. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

/** Not a language: English in another dress, written from right to left, to check how screens bear it. */
export const MIRRORED = "en-x-mirrored";

interface Place {
  document?: { documentElement: { lang: string } };
}

/** The language of this document, as its root says; English where there is none, as on the server. */
export const languageHere = (): string => (globalThis as Place).document?.documentElement.lang || "en";
