import {
  cleanDoi,
  sourceFields,
  type Reference,
  type SourceField,
  type SourceType,
} from "#shared/marketing/references.ts";

const commonFields: readonly SourceField[] = ["authors", "title", "date"];
const fieldsByType: Readonly<Record<SourceType, readonly SourceField[]>> = {
  book: ["publisher", "publisher-place", "edition", "volume", "editors", "DOI", "ISBN"],
  chapter: ["container-title", "editors", "publisher", "publisher-place", "page", "edition", "DOI", "ISBN"],
  "article-journal": ["container-title", "volume", "issue", "page", "DOI", "URL"],
  "article-newspaper": ["container-title", "page", "URL", "accessed"],
  webpage: ["container-title", "URL", "accessed"],
  report: ["publisher", "publisher-place", "DOI", "URL"],
  thesis: ["publisher", "genre", "URL"],
  "paper-conference": ["container-title", "publisher", "page", "DOI", "URL"],
  motion_picture: ["publisher", "container-title", "URL", "accessed"],
};

/** The fields of a kind of source, in the order of the form's fields. */
export const fieldsOf = (type: SourceType): SourceField[] =>
  sourceFields.filter((field) => commonFields.includes(field) || fieldsByType[type].includes(field));

type Name = { family: string; given?: string } | { literal: string };

const toNames = (text: string): Name[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [family = "", ...given] = line.split(",").map((part) => part.trim());
      return given.length > 0 && given[0] ? { family, given: given.join(" ") } : { literal: family };
    });

interface CslDate {
  "date-parts": [number[]];
}

/** Reads "2024", "2024-05" or "2024-05-17"; undefined for any other text. */
export function toDate(text: string): CslDate | undefined {
  const parts = /^(-?\d{1,4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text.trim())?.slice(1);
  const numbers = (parts ?? []).filter((part) => part !== undefined).map(Number);
  return numbers.length > 0 ? { "date-parts": [numbers] } : undefined;
}

export type CslItem = Record<string, unknown> & { id: string; type: string };

const toCslDate = (text: string) => toDate(text) ?? { literal: text };

/** Fields for which citeproc uses another name or another format. */
const converters: Partial<Record<SourceField, readonly [name: string, convert: (text: string) => unknown]>> = {
  authors: ["author", toNames],
  editors: ["editor", toNames],
  date: ["issued", toCslDate],
  accessed: ["accessed", toCslDate],
  DOI: ["DOI", cleanDoi],
  page: ["page", (text) => text.replaceAll("--", "–")],
};

/** Converts a reference to the format that citeproc reads. */
export function toCslItem(reference: Reference): CslItem {
  const item: CslItem = { id: reference.id, type: reference.type };
  for (const field of fieldsOf(reference.type)) {
    const text = reference[field]?.trim() ?? "";
    if (text === "") continue;
    const [name, convert] = converters[field] ?? [field, String];
    item[name] = convert(text);
  }
  return item;
}
