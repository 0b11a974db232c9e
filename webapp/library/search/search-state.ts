import { atom } from "jotai/vanilla";
import { NoResponseError } from "#shared/client/client.ts";
import type { SearchHit } from "#shared/library/contract.ts";
import {
  scoreFolded,
  type FoldedText,
  foldTitle,
  type TypoCandidates,
  findTypoCandidates,
  type Vocabulary,
  buildVocabulary,
} from "#shared/library/title-matching.ts";
import { hasFilters, parseSearchQuery, type SearchQuery } from "#shared/library/search-query.ts";
import { idsInFolders } from "#shared/library/rules.ts";
import type { Folder } from "#shared/library/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { waitForAccount } from "#webapp/app/session/session.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { contentAtom } from "../content.ts";
import { foldersAtom } from "../folders.ts";
import type { LibraryItem, LibraryItemKind, LibraryItemLabel } from "../library-items.ts";
import { store } from "#webapp/app/store.ts";
import { listCommands } from "../commands.ts";
import { searchCachedPages } from "./cached-passages.ts";

/** A passage of a source, or a line of a podcast. */
export interface FoundPassage extends Omit<SearchHit, "kind"> {
  kind: SearchHit["kind"] | "podcast";
}

/** To avoid flicker, `found` has the previous results until the next response. */
export type Passages =
  | { state: "idle" }
  | { state: "searching"; query: string; found: readonly FoundPassage[] }
  | { state: "offline" | "failed"; query: string; found: readonly FoundPassage[] }
  | { state: "found"; query: string; found: readonly FoundPassage[]; unread: number };

const passagesStateAtom = accountAtom<Passages>({ state: "idle" });
export const passagesAtom = atom((get) => get(passagesStateAtom));

const MAX_QUERY = 400;

/** The newest query. Only one request is in flight at a time; the next request is always for the newest query. */
let latestQuery = "";
let isSearching = false;

/** Searches passages immediately, or after the request in flight. */
export function searchPassages(query: string): void {
  latestQuery = query.trim();
  if (latestQuery.length < 2) return store.set(passagesStateAtom, { state: "idle" });
  // Send the request before rendering, so that server and browser search in parallel.
  if (!isSearching) void searchUntilLatest();
  const previous = store.get(passagesStateAtom);
  return store.set(passagesStateAtom, {
    state: "searching",
    query: latestQuery,
    found: previous.state === "idle" ? [] : previous.found,
  });
}

async function searchUntilLatest(): Promise<void> {
  isSearching = true;
  try {
    // Once the account is known, the passages are reset.
    await waitForAccount();
    for (let answered = ""; latestQuery.length > 1 && latestQuery !== answered;) {
      const query = latestQuery;
      const isCurrent = watchSession();
      const answer = await fetchPassages(query);
      // The next account may have asked the same.
      if (!isCurrent()) continue;
      answered = query;
      if (latestQuery === query) store.set(passagesStateAtom, answer);
    }
  } finally {
    isSearching = false;
  }
}

/** Also true until the content is loaded, because podcasts are unknown until then. */
function mayHavePodcasts(): boolean {
  const content = store.get(contentAtom);
  return content.state !== "ready" || (content.podcasts ?? []).length > 0;
}

/** Searches the lines of podcasts. They have no folder and no time, so such a filter leaves them out. */
async function fetchLines(query: string): Promise<FoundPassage[]> {
  if (!mayHavePodcasts()) return [];
  const { words, kind, folder, after, before } = parseSearchQuery(query, Date.now());
  const isFiltered = folder !== undefined || after !== undefined || before !== undefined;
  if (words === "" || isFiltered || (kind !== undefined && kind !== "podcast")) return [];
  const { found } = await client.podcasts.searchTranscripts({ q: words.slice(0, MAX_QUERY) });
  return found.map(({ podcastId: id, title, text, startMs }) => ({
    kind: "podcast",
    sourceId: id,
    componentId: id,
    pageId: "",
    citation: "",
    title,
    text,
    startMs,
  }));
}

async function fetchPassages(query: string): Promise<Passages> {
  try {
    const [{ found, unread }, lines] = await Promise.all([
      client.library.search({ q: query.slice(0, MAX_QUERY) }),
      // Passages are shown even if the podcasts cannot be searched.
      fetchLines(query).catch((error: unknown) => {
        logWarning("Could not search the podcasts", error);
        return [];
      }),
    ]);
    return { state: "found", query, found: [...found, ...lines], unread };
  } catch (error) {
    if (!(error instanceof NoResponseError)) logWarning("Search failed", error);
    const found = await searchCachedPages(
      store.get(accountIdAtom) ?? "",
      parseSearchQuery(query, Date.now()),
      store.get(foldersAtom) ?? [],
    ).catch(() => []);
    return { state: error instanceof NoResponseError ? "offline" : "failed", query, found };
  }
}

/** A page, file, folder or command, found by its name. */
export interface NamedMatch {
  id: string;
  kind: LibraryItemKind | "folder" | "command";
  /** Set if the label differs from the kind. */
  label?: LibraryItemLabel;
  title: string;
  /** For a page or folder its own id, otherwise the id of the item's page. */
  pageId: string;
  run: () => void;
}

interface IndexEntry extends NamedMatch {
  folded: FoldedText;
  openedAt: number;
  changedAt: number;
}

/** Everything that can be found by name. Titles are folded once, when the index is built. */
export interface NameIndex {
  entries: readonly IndexEntry[];
  folders: readonly Folder[];
  /** The vocabulary of all titles, computed on first use. */
  vocabulary: () => Vocabulary;
  /** The last query with all its matches. */
  last: { filterKey: string; words: FoldedText; matches: readonly IndexEntry[] } | undefined;
}

const createEntry = (named: NamedMatch, metadata: Pick<IndexEntry, "openedAt" | "changedAt">): IndexEntry => ({
  ...named,
  ...metadata,
  folded: foldTitle(named.title),
});

export function buildNameIndex(libraryItems: ReadonlyMap<string, LibraryItem>, folders: readonly Folder[]): NameIndex {
  const entries = [
    ...[...libraryItems.values()].map(({ id, kind, label, title, to, pageId, openedAt, changedAt }) =>
      createEntry({ id, kind, label, title, pageId, run: () => goTo(to) }, { openedAt, changedAt }),
    ),
    ...folders.map(({ _id: id, title, updated_at: changedAt }) =>
      createEntry(
        { id, kind: "folder", title, pageId: id, run: () => goTo(screenPath("folder", { id })) },
        { openedAt: 0, changedAt },
      ),
    ),
    ...listCommands().map((command) =>
      createEntry({ ...command, kind: "command", pageId: "" }, { openedAt: 0, changedAt: 0 }),
    ),
  ];
  let vocabulary: Vocabulary | undefined;
  return {
    entries,
    folders,
    last: undefined,
    vocabulary: () => (vocabulary ??= buildVocabulary(entries.map((entry) => entry.folded))),
  };
}

const MAX_MATCHES = 8;
const KIND_OF: Readonly<Record<NamedMatch["kind"], NonNullable<SearchQuery["kind"]>>> = {
  page: "page",
  deck: "deck",
  pdf: "file",
  image: "file",
  video: "video",
  podcast: "podcast",
  research: "research",
  folder: "folder",
  command: "command",
};

function filterEntries({ entries, folders }: NameIndex, query: SearchQuery): readonly IndexEntry[] {
  if (!hasFilters(query)) return entries;
  const { kind, folder, after, before } = query;
  const folderItemIds = folder === undefined ? undefined : idsInFolders(folders, folder);
  return entries.filter(
    (entry) =>
      (kind === undefined || KIND_OF[entry.kind] === kind) &&
      (folderItemIds === undefined || folderItemIds.has(entry.id) || folderItemIds.has(entry.pageId)) &&
      (after === undefined || entry.changedAt >= after) &&
      (before === undefined || (entry.changedAt > 0 && entry.changedAt < before)),
  );
}

/**
 * The first few candidates in order; equal candidates stay in their order. Sorting a hundred thousand candidates
 * instead would be noticeable on every key press.
 */
function takeTop<T>(candidates: Iterable<T>, compare: (a: T, b: T) => number): T[] {
  const top: T[] = [];
  for (const candidate of candidates) {
    const last = top.at(-1);
    if (top.length === MAX_MATCHES && last !== undefined && compare(candidate, last) >= 0) continue;
    const index = top.findIndex((other) => compare(candidate, other) < 0);
    top.splice(index === -1 ? top.length : index, 0, candidate);
    top.length = Math.min(top.length, MAX_MATCHES);
  }
  return top;
}

interface Match {
  entry: IndexEntry;
  score: number;
}

function* findMatches(entries: readonly IndexEntry[], typed: FoldedText, guesses?: TypoCandidates): Iterable<Match> {
  for (const entry of entries) {
    const score = scoreFolded(typed, entry.folded, guesses);
    if (score > 0) yield { entry, score };
  }
}

const compareMatches = (a: Match, b: Match) => b.score - a.score || a.entry.title.length - b.entry.title.length;

/** Whether the new query only extends the previous one, so that its matches are a subset. */
const extendsQuery = (words: FoldedText, before: FoldedText) =>
  before.words.length > 0 && words.whole.startsWith(before.whole);

/** The best exact matches. If the query only extends the last query, only the last matches are searched. */
function findExactMatches(query: SearchQuery, words: FoldedText, index: NameIndex): readonly Match[] {
  const { words: _words, ...filters } = query;
  const key = JSON.stringify(filters);
  const { last } = index;
  const searchSpace =
    last?.filterKey === key && extendsQuery(words, last.words) ? last.matches : filterEntries(index, query);
  const matches = [...findMatches(searchSpace, words)];
  index.last = { filterKey: key, words, matches: matches.map(({ entry }) => entry) };
  return takeTop(matches, compareMatches);
}

/** Matches by name, best first. Without words, the most recently opened items. Works offline. */
export function matchByName(typed: string, index: NameIndex): NamedMatch[] {
  const query = parseSearchQuery(typed, Date.now());
  const words = foldTitle(query.words);
  if (words.whole === "") {
    const isListed = ({ kind }: IndexEntry) => query.kind !== undefined || (kind !== "command" && kind !== "folder");
    const latest = takeTop(filterEntries(index, query).filter(isListed), (a, b) => b.openedAt - a.openedAt);
    return latest.map((entry) => ({ ...entry, title: entry.title || t("common.untitled") }));
  }
  const exact = findExactMatches(query, words, index);
  if (exact.length > 0) return exact.map(({ entry }) => entry);
  // Fuzzy matching is slower, so it is only used if there are no exact matches.
  const guesses = findTypoCandidates(words, index.vocabulary());
  return guesses
    ? takeTop(findMatches(filterEntries(index, query), words, guesses), compareMatches).map(({ entry }) => entry)
    : [];
}
