import type { Reference, SourceField, SourceType } from "#shared/marketing/references.ts";
import { BIBTEX_MONTHS, readBibtexEntries, readEnclosed } from "./bibtex-syntax.ts";
import { readTex, readTexAddress } from "./tex.ts";

type Parsed = Omit<Reference, "id">;

const bibtexTypes: Readonly<Record<string, SourceType>> = {
  article: "article-journal",
  book: "book",
  booklet: "book",
  inbook: "chapter",
  incollection: "chapter",
  inproceedings: "paper-conference",
  conference: "paper-conference",
  mastersthesis: "thesis",
  phdthesis: "thesis",
  thesis: "thesis",
  techreport: "report",
  report: "report",
  online: "webpage",
  electronic: "webpage",
  www: "webpage",
  misc: "webpage",
  movie: "motion_picture",
  video: "motion_picture",
};

const bibtexFields: Readonly<Record<string, SourceField>> = {
  title: "title",
  journal: "container-title",
  journaltitle: "container-title",
  booktitle: "container-title",
  publisher: "publisher",
  school: "publisher",
  institution: "publisher",
  address: "publisher-place",
  location: "publisher-place",
  edition: "edition",
  volume: "volume",
  number: "issue",
  pages: "page",
  isbn: "ISBN",
  urldate: "accessed",
  date: "date",
};

/** Splits at each "and" that is not in braces. */
function splitNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(/\\.|[{}]| and /gi)) {
    if (mark === "{") depth += 1;
    else if (mark === "}") depth = Math.max(0, depth - 1);
    else if (depth === 0 && !mark.startsWith("\\")) {
      names.push(text.slice(start, index));
      start = index + mark.length;
    }
  }
  return [...names, text.slice(start)].map((name) => name.trim());
}

const isInBraces = (name: string) => name.startsWith("{") && readEnclosed(name, 0, "{").end === name.length;

function readName(name: string): string {
  if (isInBraces(name) || name.includes(",")) return readTex(name);
  const words = readTex(name).split(" ");
  const prefixIndex = words.findIndex((part) => /^(?:von|van|de|der|den|di|da|la|le)$/i.test(part));
  const familyIndex = prefixIndex > 0 ? prefixIndex : words.length - 1;
  const [given, family] = [words.slice(0, familyIndex).join(" "), words.slice(familyIndex).join(" ")];
  return familyIndex > 0 ? `${family}, ${given}` : (words[0] ?? "");
}

/**
 * Converts "Ada Lovelace and Turing, Alan" to one name per line, family name first. A name in braces is an
 * organisation; "and others" stands for names that the entry does not list.
 */
const readBibtexNames = (text: string): string =>
  splitNames(text.replaceAll(/\s+/g, " "))
    .filter((name) => name !== "" && name.toLowerCase() !== "others")
    .map(readName)
    .join("\n");

const pad = (part: number) => String(part).padStart(2, "0");

/** A month as `apr`, `4` or `04`, also with the day, as `apr 25`. A month or day that is not known is 0. */
function readMonth(text: string): { month: number; day: number } {
  const name = /[a-z]{3}/i.exec(text)?.[0].toLowerCase();
  const count = Number(/\d{1,2}/.exec(text)?.[0] ?? 0);
  if (name !== undefined) return { month: BIBTEX_MONTHS.indexOf(name) + 1, day: count };
  return { month: count <= 12 ? count : 0, day: 0 };
}

/** Formats the year and, if they are known, the month and the day as `1953-04-25`. */
function readBibtexDate(values: ReadonlyMap<string, string>): string | undefined {
  const year = values.get("year");
  if (year === undefined) return undefined;
  const { month, day } = readMonth(readTex(values.get("month") ?? ""));
  const knownDay = Number(/\d{1,2}/.exec(values.get("day") ?? "")?.[0] ?? day);
  const parts = month === 0 ? [] : knownDay >= 1 && knownDay <= 31 ? [month, knownDay] : [month];
  return [readTex(year), ...parts.map(pad)].join("-");
}

/** Biblatex's names of two kinds of theses, in addition to the entries of BibTeX. */
const genres: Readonly<Record<string, string>> = {
  phdthesis: "PhD thesis",
  mastersthesis: "Master’s thesis",
  mathesis: "Master’s thesis",
};

/** The kind of source, if the entry's type does not determine it. */
function readType(type: string, values: ReadonlyMap<string, string>): SourceType {
  const read = (name: string) => readTex(values.get(name) ?? "").toLowerCase();
  if (type === "article" && read("entrysubtype") === "newspaper") return "article-newspaper";
  if (type === "misc" && /^(?:film|video|movie|motion picture)$/.test(read("howpublished"))) return "motion_picture";
  return bibtexTypes[type] ?? "book";
}

function readFields(values: ReadonlyMap<string, string>, parsed: Parsed): void {
  for (const [name, value] of values) {
    const field = bibtexFields[name];
    if (field !== undefined) parsed[field] = readTex(value);
    else if (name === "author") parsed.authors = readBibtexNames(value);
    else if (name === "editor") parsed.editors = readBibtexNames(value);
    else if (name === "doi") parsed.DOI = readTexAddress(value);
    else if (name === "url") parsed.URL = readTexAddress(value);
  }
}

/** An address that is given as how the source was published. */
function readPublishedAddress(values: ReadonlyMap<string, string>, parsed: Parsed): void {
  const published = values.get("howpublished")?.trim() ?? "";
  if (/^(?:\\url\b|https?:\/\/)/.test(published)) parsed.URL ??= readTexAddress(published);
}

/** The organisation is what a web page or film is part of, and publishes other sources. */
function readOrganization(values: ReadonlyMap<string, string>, parsed: Parsed): void {
  const organization = readTex(values.get("organization") ?? "");
  const isOnSite = parsed.type === "webpage" || parsed.type === "motion_picture";
  if (organization !== "") parsed[isOnSite ? "container-title" : "publisher"] ??= organization;
}

function readThesisGenre(type: string, values: ReadonlyMap<string, string>, parsed: Parsed): void {
  if (parsed.type !== "thesis") return;
  const kind = readTex(values.get("type") ?? "");
  const genre = genres[kind] ?? (kind === "" ? genres[type] : kind);
  if (genre !== undefined) parsed.genre = genre;
}

/** Reads references from BibTeX. */
export const readBibtex = (text: string): Parsed[] =>
  readBibtexEntries(text).map(({ type, values }) => {
    const parsed: Parsed = { type: readType(type, values) };
    readFields(values, parsed);
    readPublishedAddress(values, parsed);
    readOrganization(values, parsed);
    readThesisGenre(type, values, parsed);
    const date = readBibtexDate(values);
    if (date !== undefined) parsed.date ??= date;
    return parsed;
  });
