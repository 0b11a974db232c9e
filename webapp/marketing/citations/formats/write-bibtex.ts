import type { Reference, SourceField, SourceType } from "#shared/marketing/references.ts";
import { BIBTEX_MONTHS } from "./bibtex-syntax.ts";
import { listFields, listNames, readDateParts } from "./reference-rows.ts";
import { writeTex, writeTexAddress } from "./tex.ts";

type Row = readonly [name: string, value: string];

const bibtexTypes: Readonly<Record<Exclude<SourceType, "thesis">, string>> = {
  book: "book",
  chapter: "incollection",
  "article-journal": "article",
  "article-newspaper": "article",
  webpage: "online",
  report: "techreport",
  "paper-conference": "inproceedings",
  motion_picture: "misc",
};

/** The field of what a source is part of, where it is not `journal`. */
const containerFields: Partial<Record<SourceType, string>> = {
  chapter: "booktitle",
  "paper-conference": "booktitle",
  webpage: "organization",
  motion_picture: "organization",
};

const publisherFields: Partial<Record<SourceType, string>> = { thesis: "school", report: "institution" };

/** The field that determines the kind of a source if an entry type is used for several kinds. */
const kindRows: Partial<Record<SourceType, Row>> = {
  "article-newspaper": ["entrysubtype", "newspaper"],
  motion_picture: ["howpublished", "Film"],
};

const bibtexNames: Partial<Record<SourceField, string>> = {
  title: "title",
  "publisher-place": "address",
  edition: "edition",
  volume: "volume",
  issue: "number",
  page: "pages",
  ISBN: "isbn",
  accessed: "urldate",
};

const inBraces = (text: string) => `{${text}}`;

/** An organisation is in braces, and so is a family name with "and", which would separate two names. */
function writeName(name: string): string {
  const comma = name.indexOf(",");
  if (comma === -1) return inBraces(writeTex(name));
  const [family, given] = [name.slice(0, comma), name.slice(comma + 1)];
  return [family, given]
    .map((part) => (/\sand\s/i.test(part) ? inBraces(writeTex(part.trim())) : writeTex(part.trim())))
    .join(", ");
}

const writeNames = (text: string | undefined) => listNames(text).map(writeName).join(" and ");

function entryType({ type, genre = "" }: Reference): string {
  if (type !== "thesis") return bibtexTypes[type];
  if (/\bmaster/i.test(genre)) return "mastersthesis";
  return /\bph\.?\s?d\b|\bdoctor|\bdo[ck]tor/i.test(genre) ? "phdthesis" : "thesis";
}

/** Year, month and day. Text that is no date is written as the year. The month is a `@string` that every style defines. */
function dateRows(text = ""): Row[] {
  const date = readDateParts(text);
  if (!date) return [["year", inBraces(writeTex(text.trim()))]];
  const { year, month, day } = date;
  return [
    ["year", inBraces(String(year))],
    ["month", month === undefined ? "" : (BIBTEX_MONTHS[month - 1] ?? "")],
    ["day", day === undefined ? "" : inBraces(String(day))],
  ];
}

/** The key of an entry has the name, the year and the place in the list. */
function entryKey({ authors, date }: Reference, index: number): string {
  const year = readDateParts(date)?.year;
  const family = listNames(authors)[0]?.split(",")[0] ?? "source";
  return `${family.normalize("NFD").replaceAll(/[^A-Za-z]/g, "")}${year ?? ""}-${index + 1}`;
}

/** The fields whose names or use depend on the kind of source. */
function kindFields({ type, publisher = "", "container-title": container = "", genre = "" }: Reference): Row[] {
  return [
    [publisherFields[type] ?? "publisher", publisher.trim()],
    [containerFields[type] ?? "journal", container.trim()],
    ["type", type === "thesis" ? genre.trim() : ""],
    kindRows[type] ?? ["howpublished", ""],
  ];
}

export function writeBibtex(reference: Reference, index: number): string {
  const { authors, editors, DOI = "", URL = "" } = reference;
  const texts = [...listFields(bibtexNames, reference), ...kindFields(reference)];
  const rows: Row[] = [
    ["author", inBraces(writeNames(authors))],
    ["editor", inBraces(writeNames(editors))],
    ...texts.map(([name, value]): Row => [name, inBraces(writeTex(value))]),
    ["doi", inBraces(writeTexAddress(DOI))],
    ["url", inBraces(writeTexAddress(URL))],
    ...dateRows(reference.date),
  ];
  const filled = rows.filter(([, value]) => value !== "" && value !== "{}");
  const fields = filled.map(([name, value]) => `  ${name} = ${value}`).join(",\n");
  return `@${entryType(reference)}{${entryKey(reference, index)},\n${fields}\n}\n`;
}
