import type { Reference, SourceField, SourceType } from "#shared/marketing/references.ts";
import { toDate } from "./csl-item.ts";

const bibtexTypes: Readonly<Record<SourceType, string>> = {
  book: "book",
  chapter: "incollection",
  "article-journal": "article",
  "article-newspaper": "article",
  webpage: "misc",
  report: "techreport",
  thesis: "phdthesis",
  "paper-conference": "inproceedings",
  motion_picture: "misc",
};

const risTypes: Readonly<Record<SourceType, string>> = {
  book: "BOOK",
  chapter: "CHAP",
  "article-journal": "JOUR",
  "article-newspaper": "NEWS",
  webpage: "ELEC",
  report: "RPRT",
  thesis: "THES",
  "paper-conference": "CONF",
  motion_picture: "VIDEO",
};

const risTags: Partial<Record<SourceField, string>> = {
  title: "TI",
  "container-title": "T2",
  publisher: "PB",
  "publisher-place": "CY",
  edition: "ET",
  volume: "VL",
  issue: "IS",
  DOI: "DO",
  ISBN: "SN",
  URL: "UR",
};

const bibtexNames: Partial<Record<SourceField, string>> = {
  title: "title",
  publisher: "publisher",
  "publisher-place": "address",
  edition: "edition",
  volume: "volume",
  issue: "number",
  page: "pages",
  DOI: "doi",
  ISBN: "isbn",
  URL: "url",
};

const lines = (text = "") =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

const entries = <T>(names: Partial<Record<SourceField, T>>, reference: Reference) =>
  (Object.entries(names) as [SourceField, T][]).flatMap(([field, name]) => {
    const value = reference[field]?.trim() ?? "";
    return value === "" ? [] : [[name, value] as const];
  });

const escapeTex = (text: string) => text.replaceAll(/[&%$#_{}]/g, String.raw`\$&`);

function toBibtex(reference: Reference, index: number): string {
  const { type, authors, editors, date = "" } = reference;
  const year = toDate(date)?.["date-parts"][0][0];
  const family = lines(authors)[0]?.split(",")[0] ?? "source";
  const key = `${family.normalize("NFD").replaceAll(/[^A-Za-z]/g, "")}${year ?? ""}-${index + 1}`;
  const isWithin = type === "chapter" || type === "paper-conference";
  const container = reference["container-title"];
  const names = (text: string | undefined) =>
    lines(text)
      .map((name) => (name.includes(",") ? name : `{${name}}`))
      .join(" and ");
  const fields: (readonly [string, string])[] = [
    ["author", names(authors)],
    ["editor", names(editors)],
    ...entries(bibtexNames, reference),
    [isWithin ? "booktitle" : "journal", container ?? ""],
    ["year", year === undefined ? "" : String(year)],
  ];
  const filled = fields.filter(([, value]) => value !== "");
  return `@${bibtexTypes[type]}{${key},\n${filled.map(([name, value]) => `  ${name} = {${RAW_FIELDS.has(name) ? value : escapeTex(value)}}`).join(",\n")}\n}\n`;
}

/** Fields whose text is already BibTeX, or that must not be escaped. */
const RAW_FIELDS = new Set(["author", "editor", "url", "doi"]);

function toRis(reference: Reference): string {
  const [first, last] = (reference.page ?? "").split(/[-–]+/).map((part) => part.trim());
  const rows: (readonly [string, string])[] = [
    ["TY", risTypes[reference.type]],
    ...lines(reference.authors).map((name) => ["AU", name] as const),
    ...lines(reference.editors).map((name) => ["ED", name] as const),
    ...entries(risTags, reference),
    ["PY", toDate(reference.date ?? "")?.["date-parts"][0].join("/") ?? ""],
    ["SP", first ?? ""],
    ["EP", last ?? ""],
  ];
  const filled = rows.filter(([, value]) => value !== "");
  return `${filled.map(([tag, value]) => `${tag}  - ${value}`).join("\r\n")}\r\nER  - \r\n`;
}

/** Writes the list as a file for reference managers. */
export const writeReferences = (references: readonly Reference[], format: "bibtex" | "ris"): string =>
  references
    .map((reference, index) => (format === "bibtex" ? toBibtex(reference, index) : toRis(reference)))
    .join("\n");
