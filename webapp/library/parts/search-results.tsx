import { useAtomValue } from "jotai/react";
import { Search } from "lucide-react";
import { useCallback, useDeferredValue, useEffect, useId, useMemo, useState, type KeyboardEvent } from "react";
import { citationAddress, parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
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
} from "../search/search-state.ts";
import { SearchRow, type SearchOption } from "./search-row.tsx";
import "./search-results.css";

/** Rows rendered immediately; the rest are deferred until the first screenful is rendered. */
const IMMEDIATE_ROWS = 12;

function resultPath({ kind, sourceId, citation, pageId, componentId, cardId, startMs = 0 }: FoundPassage): string {
  if (kind === "podcast") return `${screenPath("podcast", { id: componentId })}?t=${Math.floor(startMs / 1000)}`;
  if (kind === "research") return screenPath("researchSession", { id: sourceId });
  if (cardId !== undefined) return screenPath("deck", { id: pageId, slug: `${componentId}/${cardId}` });
  const parsed = parseCitation(citation);
  return (parsed && citationAddress(parsed)) ?? screenPath("page", { id: pageId });
}

const NO_PASSAGES: readonly FoundPassage[] = [];

function toOptions(named: readonly NamedMatch[], found: readonly FoundPassage[]): SearchOption[] {
  return [
    ...named.map((match) => ({ key: match.id, run: match.run, named: match })),
    ...found.map((match, index) => ({
      key: `${match.sourceId} ${index}`,
      run: () => goTo(resultPath(match)),
      found: match,
    })),
  ];
}

function useSearchOptions(query: string): SearchOption[] {
  // On screens without the sidebar the lists are not loaded yet.
  useContent();
  const content = useAtomValue(contentAtom);
  const folders = useAtomValue(foldersAtom);
  const passages = useAtomValue(passagesAtom);
  const names = useMemo(() => buildNameIndex(indexLibraryItems(content), folders ?? []), [content, folders]);
  const named = useMemo(() => matchByName(query, names), [query, names]);
  const found = passages.state === "idle" || query.trim() === "" ? NO_PASSAGES : passages.found;
  return useMemo(() => toOptions(named, found), [named, found]);
}

interface Props {
  /** Called before a result is opened, so that a dialog can close. */
  onNavigate?: () => void;
  initial?: string;
}

/** A search field with local matches by name at once, and the server's passages as they arrive. */
export function SearchResults({ onNavigate, initial = "" }: Props) {
  const [query, setQuery] = useState(initial);
  const [chosenIndex, setChosenIndex] = useState(0);
  const passages = useAtomValue(passagesAtom);
  const listId = useId();
  const options = useSearchOptions(query);
  useEffect(() => {
    searchPassages(initial);
    return () => searchPassages("");
  }, [initial]);
  // The list may have become shorter since the choice.
  const activeIndex = Math.min(chosenIndex, options.length - 1);
  const openOption = useCallback(
    (option: SearchOption) => {
      onNavigate?.();
      option.run();
    },
    [onNavigate],
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
        query={query}
        onQuery={(next) => {
          searchPassages(next);
          setQuery(next);
          setChosenIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label={t("library.search_results")} className="search-list">
        <Rows {...{ options, query, activeIndex, listId }} onOpen={openOption} onPoint={setChosenIndex} />
      </ul>
      <p role="status" className="search-state">
        {describeState(query, passages, options.length)}
      </p>
    </div>
  );
}

interface RowsProps {
  options: readonly SearchOption[];
  query: string;
  activeIndex: number;
  listId: string;
  onOpen: (option: SearchOption) => void;
  onPoint: (index: number) => void;
}

function Rows({ options, query, activeIndex, listId, onOpen, onPoint }: RowsProps) {
  const current = useMemo(() => ({ options, query }), [options, query]);
  const deferred = useDeferredValue(current);
  const row = (option: SearchOption, index: number, rowQuery: string) => (
    <SearchRow
      key={option.key}
      id={`${listId}-${index}`}
      isActive={index === activeIndex}
      query={rowQuery}
      {...{ option, index, onOpen, onPoint }}
    />
  );
  return (
    <>
      {options.slice(0, IMMEDIATE_ROWS).map((option, index) => row(option, index, query))}
      {deferred.options
        .slice(IMMEDIATE_ROWS)
        .map((option, index) => row(option, IMMEDIATE_ROWS + index, deferred.query))}
    </>
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
        // The search is opened for this field.
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
  if (query.trim() === "") return t(count === 0 ? "library.search_nothing_yet" : "library.search_hint");
  if (passages.state === "searching") return t("library.search_busy");
  if (passages.state === "offline") return t("library.search_offline");
  if (passages.state === "failed") return t("library.search_failed");
  const unread = passages.state === "found" ? passages.unread : 0;
  if (unread > 0) return t("library.search_unprocessed", { count: unread });
  return count === 0 ? t("library.search_none") : t("library.search_count", { count });
}
