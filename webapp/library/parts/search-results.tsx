import { useAtomValue } from "jotai/react";
import { Folder, Search, Zap } from "lucide-react";
import { useEffect, useId, useMemo, useState, type KeyboardEvent } from "react";
import { citationAddress, parseCitation } from "#shared/citations.ts";
import type { Found } from "#shared/library/contract.ts";
import { markHits, snippet } from "#shared/library/matching.ts";
import { readQuery } from "#shared/library/query.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { focusInDialog } from "#shared/ui/dialog.tsx";
import { clockOf } from "#shared/video/rules.ts";
import { contentAtom } from "#webapp/kit/content.ts";
import { foldersAtom } from "#webapp/kit/folders.ts";
import { placesOf, type PlaceKind } from "#webapp/kit/places.ts";
import { goTo } from "#webapp/kit/navigation.ts";
import { useContent } from "#webapp/kit/use-content.ts";
import { PlaceIcon } from "#webapp/ui/place-icon.tsx";
import { nameIndexOf, namedMatches, passagesAtom, searchPassages, type Named, type Passages } from "../search-state.ts";
import "./search-results.css";

interface Option {
  key: string;
  run: () => void;
  named?: Named;
  found?: Found;
}

const iconKinds: Record<Found["kind"], PlaceKind> = { page: "page", deck: "deck", file: "pdf", video: "video" };

function addressOf({ citation, pageId, componentId, cardId }: Found): string {
  if (cardId !== undefined) return screenPath("deck", { id: pageId, slug: `${componentId}/${cardId}` });
  const read = parseCitation(citation);
  return (read && citationAddress(read)) ?? screenPath("page", { id: pageId });
}

function optionsOf(named: readonly Named[], passages: Passages): Option[] {
  const found = passages.state === "idle" ? [] : passages.found;
  return [
    ...named.map((one) => ({ key: one.id, run: one.run, named: one })),
    ...found.map((one, at) => ({ key: `${one.sourceId} ${at}`, run: () => goTo(addressOf(one)), found: one })),
  ];
}

function useOptions(query: string): Option[] {
  // On a screen without the sidebar nobody has fetched the lists yet.
  useContent();
  const content = useAtomValue(contentAtom);
  const folders = useAtomValue(foldersAtom);
  const passages = useAtomValue(passagesAtom);
  const names = useMemo(() => nameIndexOf(placesOf(content), folders ?? []), [content, folders]);
  const named = useMemo(() => namedMatches(query, names), [query, names]);
  return optionsOf(named, query.trim() === "" ? { state: "idle" } : passages);
}

interface Props {
  /** Told where the student goes, so that a dialog can close. */
  onGo?: () => void;
  initial?: string;
}

/** One field, and below it what is known by name at once and what was read by the server as it comes. */
export function SearchResults({ onGo, initial = "" }: Props) {
  const [query, setQuery] = useState(initial);
  const [chosen, setChosen] = useState(0);
  const passages = useAtomValue(passagesAtom);
  const listId = useId();
  const options = useOptions(query);
  useEffect(() => {
    searchPassages(initial);
    return () => searchPassages("");
  }, [initial]);
  const at = Math.min(chosen, options.length - 1);
  const go = (option: Option | undefined) => {
    if (!option) return;
    onGo?.();
    option.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && options.length > 0) {
      event.preventDefault();
      setChosen((at + step + options.length) % options.length);
    }
    if (event.key === "Enter" && !event.nativeEvent.isComposing) go(options[at]);
  };
  return (
    <div className="search">
      <SearchField
        listId={listId}
        chosenId={options[at] ? `${listId}-${at}` : undefined}
        query={query}
        onQuery={(next) => {
          setQuery(next);
          setChosen(0);
          searchPassages(next);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label={t("library.search_results")} className="search-list">
        {options.map((option, index) => (
          <OptionRow
            key={option.key}
            id={`${listId}-${index}`}
            option={option}
            query={query}
            isChosen={index === at}
            onGo={() => go(option)}
            onPoint={() => setChosen(index)}
          />
        ))}
      </ul>
      <p role="status" className="search-state">
        {stateWords(query, passages, options.length)}
      </p>
    </div>
  );
}

interface FieldProps {
  listId: string;
  chosenId: string | undefined;
  query: string;
  onQuery: (query: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function SearchField({ listId, chosenId, query, onQuery, onKeyDown }: FieldProps) {
  return (
    <div className="search-field">
      <Search aria-hidden />
      <input
        ref={focusInDialog}
        type="search"
        role="combobox"
        aria-expanded={chosenId !== undefined}
        aria-controls={listId}
        aria-activedescendant={chosenId}
        aria-autocomplete="list"
        aria-label={t("library.search_all")}
        placeholder={t("library.search_placeholder")}
        // The field is what this was opened for.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        maxLength={400}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function stateWords(query: string, passages: Passages, count: number): string {
  if (query.trim() === "") return t(count === 0 ? "library.search_nothing_yet" : "library.search_hint");
  if (passages.state === "searching") return t("library.search_busy");
  if (passages.state === "offline") return t("library.search_offline");
  if (passages.state === "failed") return t("library.search_failed");
  const unread = passages.state === "found" ? passages.unread : 0;
  if (unread > 0) return t("library.search_unread", { count: unread });
  return count === 0 ? t("library.search_none") : t("library.search_count", { count });
}

interface RowProps {
  id: string;
  option: Option;
  query: string;
  isChosen: boolean;
  onGo: () => void;
  onPoint: () => void;
}

function OptionRow({ id, option: { named, found }, query, isChosen, onGo, onPoint }: RowProps) {
  const { words } = readQuery(query, 0);
  return (
    // The field keeps the focus and moves the choice, as the pattern of a combobox has it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <li id={id} role="option" aria-selected={isChosen} className="search-option" onClick={onGo} onPointerMove={onPoint}>
      {named && (
        <>
          <NamedIcon kind={named.kind} />
          <span className="search-title">{named.title || t("library.folder_untitled")}</span>
          <span className="search-about">{t(`library.${named.kind}`)}</span>
        </>
      )}
      {found && (
        <>
          <PlaceIcon kind={iconKinds[found.kind]} emoji={null} />
          <span className="search-words">
            <span className="search-text">
              {markHits(snippet(found.text, words), words).map(({ text, isHit }, at) =>
                // Pieces of one text have no name but their place.
                // oxlint-disable-next-line react/no-array-index-key
                isHit ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
              )}
            </span>
            <span className="search-about">
              {[found.title || t("common.untitled"), placeOf(found)].filter(Boolean).join(" · ")}
            </span>
          </span>
        </>
      )}
    </li>
  );
}

function NamedIcon({ kind }: { kind: Named["kind"] }) {
  if (kind === "folder") return <Folder aria-hidden />;
  if (kind === "command") return <Zap aria-hidden />;
  return <PlaceIcon kind={kind} emoji={null} />;
}

function placeOf({ page, startMs, kind }: Found): string {
  if (kind === "video" && startMs !== undefined) return clockOf(startMs);
  return kind === "file" && page !== undefined ? t("library.on_page_number", { page }) : "";
}
