/** Values of `kind:`; `card` and `deck` are the same, and so are `file` and `document`. */
const KINDS: Readonly<Record<string, SearchKind>> = {
  page: "page",
  note: "page",
  deck: "deck",
  card: "deck",
  cards: "deck",
  flashcards: "deck",
  file: "file",
  pdf: "file",
  document: "file",
  image: "file",
  video: "video",
  transcript: "video",
  folder: "folder",
  command: "command",
};

export type SearchKind = "page" | "deck" | "file" | "video" | "folder" | "command";

/** A parsed search query. Times are epoch ms: from the start of `after` up to the end of `before`. */
export interface SearchQuery {
  words: string;
  kind?: SearchKind;
  folder?: string;
  after?: number;
  before?: number;
}

const FILTER = /(?:^|\s)(kind|type|in|folder|after|before|on):(?:"([^"]*)"|(\S*))/gi;
const DATE = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/;
const AGO = /^(\d{1,4})([dwmy])$/i;
const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 };
const NAMED: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

interface Span {
  from: number;
  to: number;
}

/** A year, a month or a day, from its start to the start of the next (UTC). */
function spanOfDate(said: string): Span | undefined {
  const [, year, month, day] = DATE.exec(said) ?? [];
  if (year === undefined) return undefined;
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)];
  if (m < 1 || m > 12 || d < 1 || d > 31) return undefined;
  const from = Date.UTC(y, m - 1, d);
  if (day !== undefined) return { from, to: from + DAY_MS };
  return { from, to: month === undefined ? Date.UTC(y + 1, 0) : Date.UTC(y, m) };
}

/** "7d" is the last seven days; a date is the whole of it. */
function spanOf(said: string, now: number): Span | undefined {
  const daysAgo = NAMED[said.toLowerCase()];
  if (daysAgo !== undefined) {
    const from = Math.floor(now / DAY_MS) * DAY_MS - daysAgo * DAY_MS;
    return { from, to: from + DAY_MS };
  }
  const [, count, unit = ""] = AGO.exec(said) ?? [];
  if (count === undefined) return spanOfDate(said);
  return { from: now - Number(count) * (DAYS[unit.toLowerCase()] ?? 1) * DAY_MS, to: now };
}

function filterOf(name: string, said: string, now: number): Partial<SearchQuery> | undefined {
  if (name === "kind" || name === "type") {
    const kind = KINDS[said.toLowerCase().replace(/s$/, "")] ?? KINDS[said.toLowerCase()];
    return kind && { kind };
  }
  if (name === "folder" || name === "in") return said === "" ? undefined : { folder: said };
  const span = spanOf(said, now);
  if (!span) return undefined;
  if (name === "after") return { after: span.from };
  return name === "before" ? { before: span.from } : { after: span.from, before: span.to };
}

/** Extracts `kind:`, `folder:`, `after:`, `before:` and `on:` from a query; everything else stays in `words`. */
export function readQuery(typed: string, now: number): SearchQuery {
  let found: Partial<SearchQuery> = {};
  const words = typed.replaceAll(
    FILTER,
    (whole, name: string, quoted: string | undefined, bare: string | undefined) => {
      const filter = filterOf(name.toLowerCase(), (quoted ?? bare ?? "").trim(), now);
      if (!filter) return whole;
      found = { ...found, ...filter };
      return " ";
    },
  );
  return { ...found, words: words.replaceAll(/\s+/g, " ").trim() };
}

export const isNarrowed = ({ kind, folder, after, before }: SearchQuery) =>
  kind !== undefined || folder !== undefined || after !== undefined || before !== undefined;
