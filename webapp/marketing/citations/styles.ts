// Vite's `?url` imports provide the default export.
// oxlint-disable import/default
import ama from "./styles/american-medical-association.csl?url";
import apa from "./styles/apa.csl?url";
import chicagoAuthorDate from "./styles/chicago-author-date.csl?url";
import chicagoNotes from "./styles/chicago-notes-bibliography.csl?url";
import harvard from "./styles/harvard-cite-them-right.csl?url";
import ieee from "./styles/ieee.csl?url";
import mla from "./styles/modern-language-association.csl?url";
import vancouver from "./styles/nlm-citation-sequence.csl?url";
import german from "./styles/locales-de-DE.xml?url";
import american from "./styles/locales-en-US.xml?url";
// oxlint-enable import/default

import type { StyleLanguage } from "./style-locale.ts";

interface StyleLocale {
  address: string;
  language: StyleLanguage | "de-DE";
}

/** The bundled styles, with the names that assignments use. */
export const styles = [
  { id: "apa", name: "APA 7", address: apa, language: "en-US" },
  { id: "mla", name: "MLA 9", address: mla, language: "en-US" },
  { id: "chicago-author-date", name: "Chicago 18 (author-date)", address: chicagoAuthorDate, language: "en-US" },
  { id: "chicago-notes", name: "Chicago 18 (notes)", address: chicagoNotes, language: "en-US" },
  { id: "harvard", name: "Harvard (Cite Them Right)", address: harvard, language: "en-GB" },
  { id: "ieee", name: "IEEE", address: ieee, language: "en-US" },
  { id: "vancouver", name: "Vancouver (NLM)", address: vancouver, language: "en-US" },
  { id: "ama", name: "AMA 11", address: ama, language: "en-US" },
] as const;
export type StyleId = (typeof styles)[number]["id"];

/**
 * The locale of a bibliography's terms, such as “edited by”: German on a German page or in a German style, else
 * English.
 */
export const localeOf = (pageLanguage: string, { language }: { language: StyleLanguage | "de-DE" }): StyleLocale =>
  pageLanguage === "de" || language === "de-DE"
    ? { address: german, language: "de-DE" }
    : { address: american, language };
