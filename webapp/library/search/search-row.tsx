import { Clock, Folder, Zap } from "lucide-react";
import { memo, useMemo } from "react";
import { highlightMatches, cutSnippet } from "#shared/library/title-matching.ts";
import { parseSearchQuery } from "#shared/library/search-query.ts";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import type { LibraryItemKind } from "../library-items.ts";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import type { FoundPassage, NamedMatch } from "./search-state.ts";

/** A search result, matched by name or by content. */
export interface SearchOption {
  key: string;
  /** An earlier search, which is repeated instead of opened. */
  recent?: string;
  named?: NamedMatch;
  found?: FoundPassage;
  /** The titles of the result's page and folder. */
  location: readonly string[];
}

const iconKinds: Record<FoundPassage["kind"], LibraryItemKind> = {
  page: "page",
  deck: "deck",
  file: "pdf",
  video: "video",
  podcast: "podcast",
  research: "research",
};

interface Props {
  id: string;
  option: SearchOption;
  index: number;
  query: string;
  isActive: boolean;
  onOpen: (option: SearchOption) => void;
  onPoint: (index: number) => void;
}

/** Memoised, because many rows would render again on every key press. */
export const SearchRow = memo(function SearchRow({ id, option, index, query, isActive, onOpen, onPoint }: Props) {
  const { recent, named, found, location } = option;
  return (
    // Combobox pattern: the focus stays in the field, whose arrow keys change the active option.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className="search-option"
      onClick={() => onOpen(option)}
      onPointerMove={() => onPoint(index)}
    >
      {recent !== undefined && (
        <>
          <Clock aria-hidden />
          <span className="search-title">{recent}</span>
        </>
      )}
      {named && (
        <>
          <NamedIcon kind={named.kind} />
          <span className="search-named">
            <span className="search-title">
              <Highlighted text={named.title || t("library.folder_untitled")} query={query} />
            </span>
            <span className="search-about">{[t(`library.${named.label ?? named.kind}`), ...location].join(" · ")}</span>
          </span>
        </>
      )}
      {found && (
        <>
          <LibraryItemIcon kind={iconKinds[found.kind]} emoji={null} />
          <span className="search-words">
            <span className="search-text">
              <Highlighted text={found.text} query={query} isSnippet />
            </span>
            <span className="search-about">
              {[
                t(`library.${iconKinds[found.kind]}`),
                found.title || t("common.untitled"),
                describeLocation(found),
                ...location,
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </span>
        </>
      )}
    </div>
  );
});

interface HighlightedProps {
  text: string;
  query: string;
  /** Shows only the part of the text around the words. */
  isSnippet?: boolean;
}

/** Text in which the words of the query are highlighted. */
function Highlighted({ text, query, isSnippet = false }: HighlightedProps) {
  const segments = useMemo(() => {
    const { words } = parseSearchQuery(query, 0);
    return highlightMatches(isSnippet ? cutSnippet(text, words) : text, words);
  }, [text, query, isSnippet]);
  return segments.map((segment, index) =>
    // A segment has no other identity than its index.
    segment.isMatch ? <mark key={index}>{segment.text}</mark> : <span key={index}>{segment.text}</span>,
  );
}

function NamedIcon({ kind }: { kind: NamedMatch["kind"] }) {
  if (kind === "folder") return <Folder aria-hidden />;
  if (kind === "command") return <Zap aria-hidden />;
  return <LibraryItemIcon kind={kind} emoji={null} />;
}

function describeLocation({ page, startMs, kind }: FoundPassage): string {
  if ((kind === "video" || kind === "podcast") && startMs !== undefined) return formatTimecode(startMs);
  return kind === "file" && page !== undefined ? t("library.on_page_number", { page }) : "";
}
