import type { Reference, SourceField, SourceType } from "#shared/marketing/references.ts";
import { listFields, listNames, readDateParts } from "./reference-rows.ts";

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
  genre: "M3",
  edition: "ET",
  volume: "VL",
  issue: "IS",
  DOI: "DO",
  ISBN: "SN",
  URL: "UR",
};

/** A date as RIS has it, with all its slashes: `1953/04/25/`. Text that is no date is not changed. */
function writeRisDate(text = ""): string {
  const date = readDateParts(text);
  if (!date) return text.trim();
  const [month = "", day = ""] = [date.month, date.day].map((part) => part?.toString().padStart(2, "0"));
  return `${date.year}/${month}/${day}/`;
}

/** First and last page. Other text, such as several ranges, is one value. */
function splitPages(text = ""): readonly [first: string, last: string] {
  const parts = text.split(/[-–]+/).map((part) => part.trim());
  const [first = "", last = ""] = parts;
  return parts.length === 2 ? [first, last] : [text.trim(), ""];
}

/** Writes a record. */
export function writeRis(reference: Reference): string {
  const [first, last] = splitPages(reference.page);
  const date = readDateParts(reference.date);
  const rows: (readonly [tag: string, value: string])[] = [
    ["TY", risTypes[reference.type]],
    ...listNames(reference.authors).map((name) => ["AU", name] as const),
    ...listNames(reference.editors).map((name) => ["ED", name] as const),
    ...listFields(risTags, reference),
    ["PY", date ? String(date.year) : (reference.date?.trim() ?? "")],
    ["DA", date?.month === undefined ? "" : writeRisDate(reference.date)],
    ["Y2", writeRisDate(reference.accessed)],
    ["SP", first],
    ["EP", last],
  ];
  const filled = rows.filter(([, value]) => value !== "");
  return `${filled.map(([tag, value]) => `${tag}  - ${value.replaceAll(/\s+/g, " ")}`).join("\r\n")}\r\nER  - \r\n`;
}
