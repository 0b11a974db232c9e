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
const SIGNS: Readonly<Record<string, string>> = {
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

/** TeX's accents and braces as letters. */
export const readTex = (text: string): string =>
  text
    .replaceAll(/\\([`'^~"=.]|[cvuHr](?=[\s{]))\s*\{?\\?([A-Za-zı])\}?/g, (_, accent: string, letter: string) =>
      (letter + (ACCENTS[accent] ?? "")).normalize("NFC"),
    )
    .replaceAll(/\\(ss|ae|AE|oe|aa|o|O|l|L|i)(?![A-Za-z])\s?/g, (_, name: string) => SIGNS[name] ?? "")
    .replaceAll(/\\([&%$#_{}])/g, "$1")
    .replaceAll(/---/g, "—")
    .replaceAll(/[{}]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** "Ada Lovelace and Turing, Alan" as one name a line, the family name first; what is braced is an organisation. */
const readBibtexNames = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .split(/ and /i)
    .map((name) => {
      if (name.startsWith("{") || name.includes(",")) return readTex(name);
      const words = readTex(name).split(" ");
      const from = words.findIndex((one) => /^(?:von|van|de|der|den|di|da|la|le)$/i.test(one));
      const at = from > 0 ? from : words.length - 1;
      return at > 0 ? `${words.slice(at).join(" ")}, ${words.slice(0, at).join(" ")}` : (words[0] ?? "");
    })
    .join("\n");

/** The value that starts at a position, in braces, in quotes or bare, and where it ends. */
function readValue(source: string, start: number): { value: string; end: number } {
  const open = source[start];
  if (open === "{" || open === '"') return readEnclosed(source, start, open);
  const [value = ""] = /^[^,}\n]*/.exec(source.slice(start)) ?? [];
  return { value: value.trim(), end: start + value.length };
}

function readEnclosed(source: string, start: number, open: "{" | '"'): { value: string; end: number } {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === "\\") {
      at += 1;
      continue;
    }
    if (source[at] === "{") depth += 1;
    else if (source[at] === "}") depth -= 1;
    const isEnd = open === "{" ? depth === 0 : depth === 0 && at > start && source[at] === '"';
    if (isEnd) return { value: source.slice(start + 1, at), end: at + 1 };
  }
  return { value: source.slice(start + 1), end: source.length };
}

function readBibtexValues(body: string): Map<string, string> {
  const values = new Map<string, string>();
  const key = /([\w-]+)\s*=\s*/y;
  let at = body.indexOf(",") + 1;
  while (at > 0 && at < body.length) {
    while (/[\s,]/.test(body[at] ?? "")) at += 1;
    key.lastIndex = at;
    const name = key.exec(body)?.[1];
    if (name === undefined) break;
    const { value, end } = readValue(body, key.lastIndex);
    values.set(name.toLowerCase(), value);
    at = end;
  }
  return values;
}

const bibtexGenres: Readonly<Record<string, string>> = {
  phdthesis: "PhD thesis",
  mastersthesis: "Master’s thesis",
};

/** Year and, if it is known, month, as `1953-04`. */
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

/** RIS as reference managers write it: a tag of two characters, two spaces, a dash and a value on each line. */
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
  else if (RIS_DATES.has(tag)) takeLongerDate(open, clean.split("/").filter(Boolean).slice(0, 3).join("-"));
}

/** A record often has the year and the whole date. */
function takeLongerDate(open: Parsed, date: string): void {
  if ((open.date ?? "").length < date.length) open.date = date;
}

const isRis = (text: string) => /^[^\S\r\n]*TY {1,2}-/m.test(text);

/** Whether a text is from a reference manager; otherwise it names a source that is looked up. */
export const isReferenceFile = (text: string): boolean => isRis(text) || /^[^\S\r\n]*@\w+\s*\{/m.test(text);

/** Sources from BibTeX or RIS, whichever the text is. */
export const readReferences = (text: string): Parsed[] => (isRis(text) ? readRis(text) : readBibtex(text));
