import type { Reference, SourceField, SourceType } from "#shared/marketing/references.ts";

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
  misc: "webpage",
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
  doi: "DOI",
  isbn: "ISBN",
  url: "URL",
  urldate: "accessed",
  date: "date",
};

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const ACCENTS: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "'": "\u0301",
  "^": "\u0302",
  "~": "\u0303",
  '"': "\u0308",
  "=": "\u0304",
  ".": "\u0307",
  c: "\u0327",
  v: "\u030C",
  u: "\u0306",
  H: "\u030B",
  r: "\u030A",
};
const LETTERS: Readonly<Record<string, string>> = {
  ss: "ß",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  o: "ø",
  O: "Ø",
  aa: "å",
  l: "ł",
  L: "Ł",
  i: "ı",
};

/** Replaces TeX's accents and special letters by Unicode, and removes braces. */
export const readTex = (text: string): string =>
  text
    .replaceAll(/\\([`'^~"=.]|[cvuHr](?=[\s{]))\s*\{?\\?([A-Za-zı])\}?/g, (_, accent: string, letter: string) =>
      (letter + (ACCENTS[accent] ?? "")).normalize("NFC"),
    )
    .replaceAll(/\\(ss|ae|AE|oe|aa|o|O|l|L|i)(?![A-Za-z])\s?/g, (_, name: string) => LETTERS[name] ?? "")
    .replaceAll(/\\([&%$#_{}])/g, "$1")
    .replaceAll(/---/g, "—")
    .replaceAll(/[{}]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/**
 * Converts "Ada Lovelace and Turing, Alan" to one name per line, family name first. A name in braces is an
 * organisation.
 */
const readBibtexNames = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .split(/ and /i)
    .map((name) => {
      if (name.startsWith("{") || name.includes(",")) return readTex(name);
      const words = readTex(name).split(" ");
      const prefixIndex = words.findIndex((part) => /^(?:von|van|de|der|den|di|da|la|le)$/i.test(part));
      const familyIndex = prefixIndex > 0 ? prefixIndex : words.length - 1;
      const [given, family] = [words.slice(0, familyIndex).join(" "), words.slice(familyIndex).join(" ")];
      return familyIndex > 0 ? `${family}, ${given}` : (words[0] ?? "");
    })
    .join("\n");

/** Reads the value from `start`, which is in braces, in quotes or bare, and returns its end too. */
function readValue(source: string, start: number): { value: string; end: number } {
  const open = source[start];
  if (open === "{" || open === '"') return readEnclosed(source, start, open);
  const [value = ""] = /^[^,}\n]*/.exec(source.slice(start)) ?? [];
  return { value: value.trim(), end: start + value.length };
}

function readEnclosed(source: string, start: number, open: "{" | '"'): { value: string; end: number } {
  let depth = 0;
  for (let position = start; position < source.length; position += 1) {
    if (source[position] === "\\") {
      position += 1;
      continue;
    }
    if (source[position] === "{") depth += 1;
    else if (source[position] === "}") depth -= 1;
    const isEnd = open === "{" ? depth === 0 : depth === 0 && position > start && source[position] === '"';
    if (isEnd) return { value: source.slice(start + 1, position), end: position + 1 };
  }
  return { value: source.slice(start + 1), end: source.length };
}

function readBibtexValues(body: string): Map<string, string> {
  const values = new Map<string, string>();
  const key = /([\w-]+)\s*=\s*/y;
  let position = body.indexOf(",") + 1;
  while (position > 0 && position < body.length) {
    while (/[\s,]/.test(body[position] ?? "")) position += 1;
    key.lastIndex = position;
    const name = key.exec(body)?.[1];
    if (name === undefined) break;
    const { value, end } = readValue(body, key.lastIndex);
    values.set(name.toLowerCase(), value);
    position = end;
  }
  return values;
}

const bibtexGenres: Readonly<Record<string, string>> = {
  phdthesis: "PhD thesis",
  mastersthesis: "Master’s thesis",
};

/** Formats the year and, if it is known, the month as `1953-04`. */
function readBibtexDate(year: string, monthText = ""): string {
  const month = MONTHS.indexOf(monthText.replaceAll(/[{}"]/g, "").slice(0, 3).toLowerCase()) + 1;
  return `${readTex(year)}${month > 0 ? `-${String(month).padStart(2, "0")}` : ""}`;
}

function readBibtexEntry(type: string, body: string): Parsed {
  const values = readBibtexValues(body);
  const parsed: Parsed = { type: bibtexTypes[type] ?? "book" };
  for (const [name, value] of values) {
    const field = bibtexFields[name];
    if (field !== undefined) parsed[field] = readTex(value);
    else if (name === "author") parsed.authors = readBibtexNames(value);
    else if (name === "editor") parsed.editors = readBibtexNames(value);
  }
  const year = values.get("year");
  if (year !== undefined) parsed.date ??= readBibtexDate(year, values.get("month"));
  const genre = bibtexGenres[type];
  if (genre !== undefined) parsed.genre = genre;
  return parsed;
}

function readBibtex(text: string): Parsed[] {
  const found: Parsed[] = [];
  const start = /@(\w+)\s*(?=\{)/g;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const { value, end } = readValue(text, start.lastIndex);
    start.lastIndex = end;
    const type = (match[1] ?? "").toLowerCase();
    if (!["comment", "string", "preamble"].includes(type)) found.push(readBibtexEntry(type, value));
  }
  return found;
}

const risTypes: Readonly<Record<string, SourceType>> = {
  BOOK: "book",
  CHAP: "chapter",
  JOUR: "article-journal",
  MGZN: "article-newspaper",
  NEWS: "article-newspaper",
  ELEC: "webpage",
  RPRT: "report",
  THES: "thesis",
  CONF: "paper-conference",
  CPAPER: "paper-conference",
  VIDEO: "motion_picture",
  MPCT: "motion_picture",
};

const risFields: Readonly<Record<string, SourceField>> = {
  TI: "title",
  T1: "title",
  T2: "container-title",
  JO: "container-title",
  JF: "container-title",
  PB: "publisher",
  CY: "publisher-place",
  ET: "edition",
  VL: "volume",
  IS: "issue",
  DO: "DOI",
  SN: "ISBN",
  UR: "URL",
};

/** Reads RIS. Each line has a tag of two characters, two spaces, a dash and a value. */
function readRis(text: string): Parsed[] {
  const found: Parsed[] = [];
  let open: Parsed | undefined;
  let pages: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, tag = "", value = ""] = /^\s*([A-Z][A-Z0-9]) {1,2}- ?(.*)$/.exec(line) ?? [];
    const clean = value.trim();
    if (tag === "TY") {
      open = { type: risTypes[clean] ?? "book" };
      pages = [];
    } else if (open && tag === "ER") {
      if (pages.length > 0) open.page = pages.join("–");
      found.push(open);
      open = undefined;
    } else if (open && clean !== "") readRisLine(open, { tag, clean, pages });
  }
  return found;
}

const risNames: Readonly<Record<string, "authors" | "editors">> = {
  AU: "authors",
  A1: "authors",
  ED: "editors",
  A2: "editors",
};
const RIS_PAGES = new Set(["SP", "EP"]);
const RIS_DATES = new Set(["PY", "DA", "Y1"]);

function readRisLine(open: Parsed, { tag, clean, pages }: { tag: string; clean: string; pages: string[] }): void {
  const field = risFields[tag];
  const names = risNames[tag];
  if (field !== undefined) open[field] ??= clean;
  else if (names !== undefined) open[names] = open[names] === undefined ? clean : `${open[names]}\n${clean}`;
  else if (RIS_PAGES.has(tag)) pages.push(clean);
  else if (RIS_DATES.has(tag)) setLongerDate(open, clean.split("/").filter(Boolean).slice(0, 3).join("-"));
}

/** Sets the date unless the record already has a longer one, because records often have both a year and a full date. */
function setLongerDate(open: Parsed, date: string): void {
  if ((open.date ?? "").length < date.length) open.date = date;
}

const isRis = (text: string) => /^[^\S\r\n]*TY {1,2}-/m.test(text);

/** Whether a text is RIS or BibTeX. Any other text is an identifier to look up. */
export const isReferenceFile = (text: string): boolean => isRis(text) || /^[^\S\r\n]*@\w+\s*\{/m.test(text);

/** Reads references from RIS or BibTeX. */
export const readReferences = (text: string): Parsed[] => (isRis(text) ? readRis(text) : readBibtex(text));
