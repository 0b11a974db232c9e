import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import type { Found } from "#shared/library/contract.ts";
import {
  foldedFit,
  type FoldedTitle,
  foldTitle,
  type Guesses,
  guessesFor,
  type Vocabulary,
  vocabularyOf,
} from "#shared/library/matching.ts";
import { isNarrowed, readQuery, type SearchQuery } from "#shared/library/query.ts";
import { idsInFolders } from "#shared/library/rules.ts";
import type { Folder } from "#shared/library/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import type { Place, PlaceKind, PlaceName } from "./places.ts";
import { store } from "#webapp/app/store.ts";
import { commands } from "./commands.ts";
import { findKept } from "./kept-passages.ts";

/** `found` keeps the previous results until the next response, to avoid flicker. */
export type Passages =
  | { state: "idle" }
  | { state: "searching"; query: string; found: readonly Found[] }
  | { state: "offline" | "failed"; query: string; found: readonly Found[] }
  | { state: "found"; query: string; found: readonly Found[]; unread: number };

const heldAtom = atom<Passages>({ state: "idle" });
export const passagesAtom = atom((get) => get(heldAtom));

const MAX_QUERY = 400;

/** The next query and whether a request is in flight: one request at a time, always for the newest query. */
let wanted = "";
let isAsking = false;

/** Searches passages immediately, or after the current request with the latest query. */
export function searchPassages(query: string): void {
  wanted = query.trim();
  if (wanted.length < 2) return store.set(heldAtom, { state: "idle" });
  // Send the request before rendering, so that server and browser search in parallel.
  if (!isAsking) void askOn();
  const held = store.get(heldAtom);
  return store.set(heldAtom, { state: "searching", query: wanted, found: held.state === "idle" ? [] : held.found });
}

async function askOn(): Promise<void> {
  isAsking = true;
  try {
    for (let asked = ""; wanted.length > 1 && wanted !== asked;) {
      asked = wanted;
      const answer = await ask(asked);
      if (wanted === asked) store.set(heldAtom, answer);
    }
  } finally {
    isAsking = false;
  }
}

async function ask(query: string): Promise<Passages> {
  try {
    const { found, unread } = await client.library.search({ q: query.slice(0, MAX_QUERY) });
    return { state: "found", query, found, unread };
  } catch (error) {
    if (!(error instanceof NoAnswer)) logTrouble("Search failed", error);
    const found = await findKept(store.get(accountIdAtom) ?? "", readQuery(query, Date.now()).words).catch(() => []);
    return { state: error instanceof NoAnswer ? "offline" : "failed", query, found };
  }
}

/** A page, file, folder or command, found by its name. */
export interface Named {
  id: string;
  kind: PlaceKind | "folder" | "command";
  /** Set if its label differs from its kind. */
  called?: PlaceName;
  title: string;
  run: () => void;
}

interface Entry extends Named {
  folded: FoldedTitle;
  pageId: string;
  openedAt: number;
  changedAt: number;
}

/** Everything that can be found by name, with each title folded once. */
export interface NameIndex {
  entries: readonly Entry[];
  folders: readonly Folder[];
  /** The vocabulary of all titles, computed on first use. */
  vocabulary: () => Vocabulary;
  /** The last query and all its matches. */
  last: { narrowing: string; words: FoldedTitle; fits: readonly Entry[] } | undefined;
}

const entryOf = (named: Named, more: Pick<Entry, "pageId" | "openedAt" | "changedAt">): Entry => ({
  ...named,
  ...more,
  folded: foldTitle(named.title),
});

export function nameIndexOf(places: ReadonlyMap<string, Place>, folders: readonly Folder[]): NameIndex {
  const entries = [
    ...[...places.values()].map(({ id, kind, called, title, to, pageId, openedAt, changedAt }) =>
      entryOf({ id, kind, called, title, run: () => goTo(to) }, { pageId, openedAt, changedAt }),
    ),
    ...folders.map(({ _id: id, title, updated_at: changedAt }) =>
      entryOf(
        { id, kind: "folder", title, run: () => goTo(screenPath("folder", { id })) },
        { pageId: id, openedAt: 0, changedAt },
      ),
    ),
    ...commands().map((command) => entryOf({ ...command, kind: "command" }, { pageId: "", openedAt: 0, changedAt: 0 })),
  ];
  let vocabulary: Vocabulary | undefined;
  return {
    entries,
    folders,
    last: undefined,
    vocabulary: () => (vocabulary ??= vocabularyOf(entries.map((entry) => entry.folded))),
  };
}

const NAMED_SHOWN = 8;
const KIND_OF: Readonly<Record<Named["kind"], NonNullable<SearchQuery["kind"]>>> = {
  page: "page",
  deck: "deck",
  pdf: "file",
  image: "file",
  video: "video",
  folder: "folder",
  command: "command",
};

function filtered({ entries, folders }: NameIndex, query: SearchQuery): readonly Entry[] {
  if (!isNarrowed(query)) return entries;
  const { kind, folder, after, before } = query;
  const inside = folder === undefined ? undefined : idsInFolders(folders, folder);
  return entries.filter(
    (entry) =>
      (kind === undefined || KIND_OF[entry.kind] === kind) &&
      (inside === undefined || inside.has(entry.id) || inside.has(entry.pageId)) &&
      (after === undefined || entry.changedAt >= after) &&
      (before === undefined || (entry.changedAt > 0 && entry.changedAt < before)),
  );
}

/**
 * The first few in order, stable for equal items: sorting a hundred thousand would be noticeable on every key press.
 */
function firstOf<T>(all: Iterable<T>, compare: (a: T, b: T) => number): T[] {
  const first: T[] = [];
  for (const one of all) {
    const last = first.at(-1);
    if (first.length === NAMED_SHOWN && last !== undefined && compare(one, last) >= 0) continue;
    const at = first.findIndex((other) => compare(one, other) < 0);
    first.splice(at === -1 ? first.length : at, 0, one);
    first.length = Math.min(first.length, NAMED_SHOWN);
  }
  return first;
}

interface Fit {
  entry: Entry;
  score: number;
}

function* fitsOf(entries: readonly Entry[], typed: FoldedTitle, guesses?: Guesses): Iterable<Fit> {
  for (const entry of entries) {
    const score = foldedFit(typed, entry.folded, guesses);
    if (score > 0) yield { entry, score };
  }
}

const byFit = (a: Fit, b: Fit) => b.score - a.score || a.entry.title.length - b.entry.title.length;

/** Whether the new query only extends the previous one, so that its matches are a subset. */
const goesOn = (words: FoldedTitle, before: FoldedTitle) =>
  before.words.length > 0 && words.whole.startsWith(before.whole);

/** Exact matches, best first, up to the number shown. An extended query only searches the previous matches. */
function exactFits(query: SearchQuery, words: FoldedTitle, index: NameIndex): readonly Fit[] {
  const { words: _words, ...narrowing } = query;
  const key = JSON.stringify(narrowing);
  const { last } = index;
  const among = last?.narrowing === key && goesOn(words, last.words) ? last.fits : filtered(index, query);
  const fits = [...fitsOf(among, words)];
  index.last = { narrowing: key, words, fits: fits.map(({ entry }) => entry) };
  return firstOf(fits, byFit);
}

/** Matches by name, best first; without words, the most recently opened items. Works offline. */
export function namedMatches(typed: string, index: NameIndex): Named[] {
  const query = readQuery(typed, Date.now());
  const words = foldTitle(query.words);
  if (words.whole === "") {
    const isAny = ({ kind }: Entry) => query.kind !== undefined || (kind !== "command" && kind !== "folder");
    const latest = firstOf(filtered(index, query).filter(isAny), (a, b) => b.openedAt - a.openedAt);
    return latest.map((entry) => ({ ...entry, title: entry.title || t("common.untitled") }));
  }
  const exact = exactFits(query, words, index);
  if (exact.length > 0) return exact.map(({ entry }) => entry);
  // Fuzzy matching is slower and only needed without exact matches.
  const guesses = guessesFor(words, index.vocabulary());
  return guesses ? firstOf(fitsOf(filtered(index, query), words, guesses), byFit).map(({ entry }) => entry) : [];
}
