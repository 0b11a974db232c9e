import type { Reference, SourceField, SourceType } from "#shared/marketing/references.ts";

type Parsed = Omit<Reference, "id">;

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

const risNames: Readonly<Record<string, "authors" | "editors">> = {
  AU: "authors",
  A1: "authors",
  ED: "editors",
  A2: "editors",
};
const RIS_PAGES = new Set(["SP", "EP"]);
const RIS_DATES = new Set(["PY", "DA", "Y1"]);

interface Open {
  parsed: Parsed;
  pages: string[];
}

/** Reads RIS. Each line has a tag of two characters, two spaces, a dash and a value. A record also ends where the next begins. */
export function readRis(text: string): Parsed[] {
  const records: Open[] = [];
  let open: Open | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, tag = "", value = ""] = /^\s*([A-Z][A-Z0-9]) {1,2}- ?(.*)$/.exec(line) ?? [];
    const clean = value.trim();
    if (tag === "TY") {
      open = { parsed: { type: risTypes[clean] ?? "book" }, pages: [] };
      records.push(open);
    } else if (tag === "ER") open = undefined;
    else if (open && clean !== "") readRisLine(open, tag, clean);
  }
  return records.map(({ parsed, pages }) => (pages.length > 0 ? { ...parsed, page: pages.join("–") } : parsed));
}

function readRisLine({ parsed, pages }: Open, tag: string, clean: string): void {
  const field = risFields[tag];
  const names = risNames[tag];
  if (field !== undefined) parsed[field] ??= clean;
  else if (names !== undefined) parsed[names] = parsed[names] === undefined ? clean : `${parsed[names]}\n${clean}`;
  else if (RIS_PAGES.has(tag)) pages.push(clean);
  else if (RIS_DATES.has(tag)) setLongerDate(parsed, readRisDate(clean));
  else if (tag === "Y2") parsed.accessed ??= readRisDate(clean);
  else if (tag === "M3" && parsed.type === "thesis") parsed.genre ??= clean;
}

/** Reads `1953/04/25/spring` as `1953-04-25`. Parts may be missing; other text is not changed. */
function readRisDate(text: string): string {
  const [, year, ...parts] = /^(-?\d{1,4})(?:\/(\d{0,2}))?(?:\/(\d{0,2}))?(?:\/.*)?$/.exec(text) ?? [];
  if (year === undefined) return text;
  return [year, ...parts.filter(Boolean).map((part) => part.padStart(2, "0"))].join("-");
}

/** Sets the date unless the record already has a longer one, because records often have both a year and a full date. */
function setLongerDate(parsed: Parsed, date: string): void {
  if ((parsed.date ?? "").length < date.length) parsed.date = date;
}
