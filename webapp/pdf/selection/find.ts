import { foldForMatching, type Folded } from "#shared/pdf/anchoring/text-folding.ts";
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
  currentIndex: number;
  /** Number of pages searched so far. */
  searched: number;
  isDone: boolean;
}

export const EMPTY_FIND_VIEW: FindView = { query: "", matches: [], currentIndex: -1, searched: 0, isDone: true };

const MAX_MATCHES = 5_000;
const PAGES_PER_UPDATE = 20;
const MAX_QUERY_CHARS = 200;

const foldedPages = new WeakMap<PdfFile, Map<number, Folded>>();

async function readFoldedPage(file: PdfFile, page: number): Promise<Folded> {
  const pages = foldedPages.get(file) ?? new Map<number, Folded>();
  foldedPages.set(file, pages);
  const cached = pages.get(page);
  if (cached) return cached;
  const foldedText = foldForMatching(await file.getPlainText(page).catch(() => ""));
  pages.set(page, foldedText);
  return foldedText;
}

/** Matches in one page, ignoring case, hyphenation and white space. */
export function findMatches(foldedText: Folded, query: string, page: number): Match[] {
  const needle = foldForMatching(query).text;
  const matches: Match[] = [];
  if (needle === "") return matches;
  for (
    let index = foldedText.text.indexOf(needle);
    index >= 0;
    index = foldedText.text.indexOf(needle, index + needle.length)
  ) {
    const [start, end] = [foldedText.from[index] ?? 0, foldedText.to[index + needle.length - 1] ?? 0];
    matches.push({ page, start, end });
  }
  return matches;
}

/** Searches the whole document, starting at the current page, and yields progress. */
export async function* findAll(file: PdfFile, query: string, fromPage: number): AsyncGenerator<FindView> {
  const needle = query.slice(0, MAX_QUERY_CHARS);
  let matches: Match[] = [];
  let first: Match | undefined;
  const view = (searched: number): FindView => ({
    query,
    matches,
    currentIndex: first ? matches.indexOf(first) : -1,
    searched,
    isDone: searched === file.pageCount || matches.length >= MAX_MATCHES,
  });
  for (let step = 0; step < file.pageCount; step += 1) {
    const page = ((fromPage - 1 + step) % file.pageCount) + 1;
    const found = findMatches(await readFoldedPage(file, page), needle, page);
    if (found.length > 0) {
      first ??= found[0];
      matches = [...matches, ...found].toSorted((a, b) => a.page - b.page || a.start - b.start).slice(0, MAX_MATCHES);
    }
    const isUpdateDue = step === 0 || (step + 1) % PAGES_PER_UPDATE === 0 || step + 1 === file.pageCount;
    const next = view(step + 1);
    if (isUpdateDue || (found.length > 0 && matches.length === found.length)) yield next;
    if (next.isDone) return;
  }
}
