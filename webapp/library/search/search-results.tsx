import { useAtomValue } from "jotai/react";
import { Search } from "lucide-react";
import { useCallback, useEffect, useId, useMemo, useState, type KeyboardEvent } from "react";
import { citationAddress, parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { contentAtom } from "../content.ts";
import { foldersAtom } from "../folders.ts";
import { indexLibraryItems } from "../library-items.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { useContent } from "../use-content.ts";
import {
  buildNameIndex,
  matchByName,
  passagesAtom,
  searchPassages,
  type FoundPassage,
  type NamedMatch,
  type Passages,
} from "./search-state.ts";
import { createLocationFinder, type FindLocation } from "./item-location.ts";
import { addRecentSearch, clearRecentSearches, recentSearchesAtom } from "./recent-searches.ts";
import { buildQuery, noFilters, SearchFilterBar, type SearchFilters } from "./search-filters.tsx";
import { SearchList, type SearchSection } from "./search-list.tsx";
import type { SearchOption } from "./search-row.tsx";
import "./search-results.css";

function resultPath({ kind, sourceId, citation, pageId, componentId, cardId, startMs = 0 }: FoundPassage): string {
  if (kind === "podcast") return `${screenPath("podcast", { id: componentId })}?t=${Math.floor(startMs / 1000)}`;
  if (kind === "research") return screenPath("researchSession", { id: sourceId });
  if (cardId !== undefined) return screenPath("deck", { id: pageId, slug: `${componentId}/${cardId}` });
  const parsed = parseCitation(citation);
  return (parsed && citationAddress(parsed)) ?? screenPath("page", { id: pageId });
}

const NO_PASSAGES: readonly FoundPassage[] = [];

interface Results {
  query: string;
  recent: readonly string[];
  named: readonly NamedMatch[];
  found: readonly FoundPassage[];
}

/** The sections in their order on screen: recent searches, titles, passages. */
function toSections({ query, recent, named, found }: Results, findLocation: FindLocation): SearchSection[] {
  const isEmpty = query === "";
  const repeats = isEmpty ? recent.map((words) => ({ key: `recent ${words}`, recent: words, location: [] })) : [];
  const titles = named.map((match) => ({ key: match.id, named: match, location: findLocation(match) }));
  const passages = found.map((match, index) => ({
    key: `${match.sourceId} ${index}`,
    found: match,
    location: findLocation({ ...match, id: match.componentId }),
  }));
  return [
    { title: t("library.search_recent"), options: repeats, first: 0 },
    {
      title: t(isEmpty ? "library.search_opened" : "library.search_titles"),
      options: titles,
      first: repeats.length,
    },
    { title: t("library.search_passages"), options: passages, first: repeats.length + titles.length },
  ].filter(({ options }) => options.length > 0);
}

function useSections(query: string): SearchSection[] {
  // Loads the lists on screens without the sidebar.
  useContent();
  const content = useAtomValue(contentAtom);
  const folders = useAtomValue(foldersAtom);
  const passages = useAtomValue(passagesAtom);
  const recent = useAtomValue(recentSearchesAtom);
  const { names, findLocation } = useMemo(() => {
    const items = indexLibraryItems(content);
    return { names: buildNameIndex(items, folders ?? []), findLocation: createLocationFinder(items, folders ?? []) };
  }, [content, folders]);
  const named = useMemo(() => matchByName(query, names), [query, names]);
  const found = passages.state === "idle" || query === "" ? NO_PASSAGES : passages.found;
  return useMemo(
    () => toSections({ query, recent, named, found }, findLocation),
    [query, recent, named, found, findLocation],
  );
}

function openResult({ named, found }: SearchOption): void {
  if (named) named.run();
  if (found) goTo(resultPath(found));
}

interface Props {
  /** Called before a result is opened, so that a dialog can close. */
  onNavigate?: () => void;
  initial?: string;
}

/** The state of the search: the typed text, the filters, the results and the active result. */
function useSearch(initial: string, onNavigate?: () => void) {
  const [typed, setTyped] = useState(initial);
  const [filters, setFilters] = useState(noFilters);
  const [chosenIndex, setChosenIndex] = useState(0);
  const query = buildQuery(typed, filters).trim();
  const sections = useSections(query);
  const options = useMemo(() => sections.flatMap((section) => section.options), [sections]);
  useEffect(() => {
    searchPassages(initial);
    return () => searchPassages("");
  }, [initial]);
  const search = useCallback((nextTyped: string, nextFilters: SearchFilters) => {
    searchPassages(buildQuery(nextTyped, nextFilters));
    setTyped(nextTyped);
    setFilters(nextFilters);
    setChosenIndex(0);
  }, []);
  const openOption = useCallback(
    (option: SearchOption) => {
      if (option.recent !== undefined) return search(option.recent, filters);
      // Running a command is not recorded as a recent search.
      if (option.named?.kind !== "command") addRecentSearch(typed);
      onNavigate?.();
      return openResult(option);
    },
    [onNavigate, search, typed, filters],
  );
  // The list may have become shorter since the option was chosen.
  const activeIndex = Math.min(chosenIndex, options.length - 1);
  return { typed, filters, query, sections, options, activeIndex, setChosenIndex, search, openOption };
}

/** A search field and its results: matches by name are shown at once, the server's passages as they arrive. */
export function SearchResults({ onNavigate, initial = "" }: Props) {
  const listId = useId();
  const { typed, filters, query, sections, options, activeIndex, setChosenIndex, search, openOption } = useSearch(
    initial,
    onNavigate,
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && options.length > 0) {
      event.preventDefault();
      const next = (activeIndex + step + options.length) % options.length;
      setChosenIndex(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    const option = options[activeIndex];
    if (event.key === "Enter" && !event.nativeEvent.isComposing && option) openOption(option);
  };
  return (
    <div className="search">
      <SearchField
        listId={listId}
        activeId={options[activeIndex] ? `${listId}-${activeIndex}` : undefined}
        query={typed}
        onQuery={(next) => search(next, filters)}
        onKeyDown={onKeyDown}
      />
      <SearchFilterBar filters={filters} onFilters={(next) => search(typed, next)} />
      <SearchList {...{ sections, query, activeIndex, listId }} onOpen={openOption} onPoint={setChosenIndex} />
      <SearchFoot query={query} options={options} />
    </div>
  );
}

function SearchFoot({ query, options }: { query: string; options: readonly SearchOption[] }) {
  const passages = useAtomValue(passagesAtom);
  return (
    <footer className="search-foot">
      <p role="status" className="search-state">
        {describeState(query, passages, options.length)}
      </p>
      {options[0]?.recent !== undefined && (
        <Button variant="quiet" onClick={clearRecentSearches}>
          {t("library.search_recent_clear")}
        </Button>
      )}
      <p className="search-keys key-hint" aria-hidden>
        <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t("library.search_keys_move")} <Kbd>↵</Kbd> {t("library.search_keys_open")}
      </p>
    </footer>
  );
}

interface FieldProps {
  listId: string;
  activeId: string | undefined;
  query: string;
  onQuery: (query: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function SearchField({ listId, activeId, query, onQuery, onKeyDown }: FieldProps) {
  return (
    <div className="search-field">
      <Search aria-hidden />
      <input
        ref={focusInDialog}
        type="search"
        role="combobox"
        aria-expanded={activeId !== undefined}
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        aria-label={t("library.search_all")}
        placeholder={t("library.search_placeholder")}
        // Focusing the field is expected, because the search was opened to type into it.
        autoFocus
        maxLength={400}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function describeState(query: string, passages: Passages, count: number): string {
  if (query === "") return t(count === 0 ? "library.search_nothing_yet" : "library.search_hint");
  if (passages.state === "searching") return t("library.search_busy");
  if (passages.state === "offline") return t("library.search_offline");
  if (passages.state === "failed") return t("library.search_failed");
  const unread = passages.state === "found" ? passages.unread : 0;
  if (unread > 0) return t("library.search_unprocessed", { count: unread });
  return count === 0 ? t("library.search_none") : t("library.search_count", { count });
}
