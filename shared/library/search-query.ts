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
  podcast: "podcast",
  research: "research",
  folder: "folder",
  command: "command",
};

export type SearchKind = "page" | "deck" | "file" | "video" | "podcast" | "research" | "folder" | "command";

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
const RELATIVE_DATE = /^(\d{1,4})([dwmy])$/i;
const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 };
const DAY_NAMES: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

interface Span {
  from: number;
  to: number;
}

/** A year, a month or a day, from its start to the start of the next (UTC). */
function dateSpan(value: string): Span | undefined {
  const [, year, month, day] = DATE.exec(value) ?? [];
  if (year === undefined) return undefined;
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)];
  if (m < 1 || m > 12 || d < 1 || d > 31) return undefined;
  const from = Date.UTC(y, m - 1, d);
  if (day !== undefined) return { from, to: from + DAY_MS };
  return { from, to: month === undefined ? Date.UTC(y + 1, 0) : Date.UTC(y, m) };
}

/** "7d" is the last seven days; a date is the whole year, month or day. */
function timeSpan(value: string, now: number): Span | undefined {
  const daysAgo = DAY_NAMES[value.toLowerCase()];
  if (daysAgo !== undefined) {
    const from = Math.floor(now / DAY_MS) * DAY_MS - daysAgo * DAY_MS;
    return { from, to: from + DAY_MS };
  }
  const [, count, unit = ""] = RELATIVE_DATE.exec(value) ?? [];
  if (count === undefined) return dateSpan(value);
  return { from: now - Number(count) * (DAYS[unit.toLowerCase()] ?? 1) * DAY_MS, to: now };
}

function parseFilter(name: string, value: string, now: number): Partial<SearchQuery> | undefined {
  if (name === "kind" || name === "type") {
    const kind = KINDS[value.toLowerCase().replace(/s$/, "")] ?? KINDS[value.toLowerCase()];
    return kind && { kind };
  }
  if (name === "folder" || name === "in") return value === "" ? undefined : { folder: value };
  const span = timeSpan(value, now);
  if (!span) return undefined;
  if (name === "after") return { after: span.from };
  return name === "before" ? { before: span.from } : { after: span.from, before: span.to };
}

/** Extracts `kind:`, `folder:`, `after:`, `before:` and `on:` from a query; everything else stays in `words`. */
export function parseSearchQuery(typed: string, now: number): SearchQuery {
  let found: Partial<SearchQuery> = {};
  const words = typed.replaceAll(
    FILTER,
    (whole, name: string, quoted: string | undefined, bare: string | undefined) => {
      const filter = parseFilter(name.toLowerCase(), (quoted ?? bare ?? "").trim(), now);
      if (!filter) return whole;
      found = { ...found, ...filter };
      return " ";
    },
  );
  return { ...found, words: words.replaceAll(/\s+/g, " ").trim() };
}

export const hasFilters = ({ kind, folder, after, before }: SearchQuery) =>
  kind !== undefined || folder !== undefined || after !== undefined || before !== undefined;
