import { fold, type Folded } from "#shared/pdf/folding.ts";
import type { PdfFile } from "../viewer/pdf-file.ts";

/** Half-open character range in a page's text. */
export interface Match {
  page: number;
  start: number;
  end: number;
}

export interface FindView {
  query: string;
  matches: readonly Match[];
  /** Index of the current match; -1 if there is none. */
  at: number;
  /** Number of pages searched so far. */
  searched: number;
  isDone: boolean;
}

export const NOTHING_FOUND: FindView = { query: "", matches: [], at: -1, searched: 0, isDone: true };

const MAX_MATCHES = 5_000;
const TELL_EVERY_PAGES = 20;
const MAX_QUERY = 200;

const foldedPages = new WeakMap<PdfFile, Map<number, Folded>>();

async function foldedPage(file: PdfFile, page: number): Promise<Folded> {
  const pages = foldedPages.get(file) ?? new Map<number, Folded>();
  foldedPages.set(file, pages);
  const known = pages.get(page);
  if (known) return known;
  const made = fold(await file.wordsOf(page).catch(() => ""));
  pages.set(page, made);
  return made;
}

/** Matches in one page, ignoring case, hyphenation and white space. */
export function matchesIn(held: Folded, query: string, page: number): Match[] {
  const wanted = fold(query).text;
  const matches: Match[] = [];
  if (wanted === "") return matches;
  for (let at = held.text.indexOf(wanted); at >= 0; at = held.text.indexOf(wanted, at + wanted.length)) {
    const [start, end] = [held.from[at] ?? 0, held.to[at + wanted.length - 1] ?? 0];
    matches.push({ page, start, end });
  }
  return matches;
}

/** Searches the whole document, starting at the current page, and yields progress. */
export async function* findAll(file: PdfFile, query: string, fromPage: number): AsyncGenerator<FindView> {
  const wanted = query.slice(0, MAX_QUERY);
  let matches: Match[] = [];
  let first: Match | undefined;
  const view = (searched: number): FindView => ({
    query,
    matches,
    at: first ? matches.indexOf(first) : -1,
    searched,
    isDone: searched === file.pageCount || matches.length >= MAX_MATCHES,
  });
  for (let step = 0; step < file.pageCount; step += 1) {
    const page = ((fromPage - 1 + step) % file.pageCount) + 1;
    const found = matchesIn(await foldedPage(file, page), wanted, page);
    if (found.length > 0) {
      first ??= found[0];
      matches = [...matches, ...found].toSorted((a, b) => a.page - b.page || a.start - b.start).slice(0, MAX_MATCHES);
    }
    const isTold = step === 0 || (step + 1) % TELL_EVERY_PAGES === 0 || step + 1 === file.pageCount;
    const next = view(step + 1);
    if (isTold || (found.length > 0 && matches.length === found.length)) yield next;
    if (next.isDone) return;
  }
}
