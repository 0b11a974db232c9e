import type { SiteDocument, SiteEdit, SiteTheme } from "./schema.ts";

/** A change that a message to a site without a model requests. */
export type SiteCommand = { type: "edit"; edit: SiteEdit } | { type: "undo" };

const accents: Readonly<Record<string, SiteTheme["accent"]>> = {
  ink: "ink",
  blue: "ink",
  blau: "ink",
  forest: "forest",
  green: "forest",
  grün: "forest",
  plum: "plum",
  purple: "plum",
  lila: "plum",
  rust: "rust",
  orange: "rust",
  slate: "slate",
  grey: "slate",
  gray: "slate",
  grau: "slate",
};
const fonts: Readonly<Record<string, SiteTheme["font"]>> = {
  serif: "serif",
  "mit serifen": "serif",
  sans: "sans",
  "ohne serifen": "sans",
};

const findSection = ({ sections }: SiteDocument, title: string) =>
  sections.find((section) => section.title.toLowerCase() === title.trim().toLowerCase());

type Reader = (value: string, document: SiteDocument) => SiteEdit | undefined;

const lookUp = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Each command is a word, a colon and a value; anything looser would be misread sooner or later. */
const readers: readonly (readonly [RegExp, Reader])[] = [
  [/^(?:title|titel)$/, (value, { subtitle }) => ({ type: "set_title", title: value.slice(0, 120), subtitle })],
  [/^(?:subtitle|untertitel)$/, (value, { title }) => ({ type: "set_title", title, subtitle: value.slice(0, 300) })],
  [
    /^(?:colour|color|farbe)$/,
    (value, { theme }) => {
      const accent = lookUp(accents, value.toLowerCase());
      return accent && { type: "set_theme", theme: { ...theme, accent } };
    },
  ],
  [
    /^(?:font|schrift)$/,
    (value, { theme }) => {
      const font = lookUp(fonts, value.toLowerCase());
      return font && { type: "set_theme", theme: { ...theme, font } };
    },
  ],
  [
    /^(?:remove|entfernen)$/,
    (value, document) => {
      const section = findSection(document, value);
      return section && { type: "remove_section", sectionId: section.id };
    },
  ],
  [
    /^(?:move up|nach oben)$/,
    (value, document) => {
      const section = findSection(document, value);
      return section && { type: "move_section", sectionId: section.id, by: -1 };
    },
  ],
];

/** Reads a named command; undefined for every other sentence. */
export function readCommand(message: string, document: SiteDocument): SiteCommand | undefined {
  const text = message.trim();
  if (/^(?:undo|rückgängig)[.!]?$/i.test(text)) return { type: "undo" };
  const [, name = "", value = ""] = /^([\p{L} ]{3,20}):\s*(\S.*)$/u.exec(text) ?? [];
  const reader = readers.find(([pattern]) => pattern.test(name.trim().toLowerCase()))?.[1];
  const edit = value === "" ? undefined : reader?.(value.trim(), document);
  return edit && { type: "edit", edit };
}
