import { Folder, Zap } from "lucide-react";
import { memo, useMemo } from "react";
import { highlightMatches, cutSnippet } from "#shared/library/title-matching.ts";
import { parseSearchQuery } from "#shared/library/search-query.ts";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import type { LibraryItemKind } from "../library-items.ts";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import type { FoundPassage, NamedMatch } from "../search/search-state.ts";

/** A search result, matched by name or by content. */
export interface SearchOption {
  key: string;
  run: () => void;
  named?: NamedMatch;
  found?: FoundPassage;
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

/** Memoised: many rows rerender on every key press. */
export const SearchRow = memo(function SearchRow({ id, option, index, query, isActive, onOpen, onPoint }: Props) {
  const { named, found } = option;
  return (
    // Combobox pattern: the focus stays in the field, which moves the active option.
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      className="search-option"
      onClick={() => onOpen(option)}
      onPointerMove={() => onPoint(index)}
    >
      {named && (
        <>
          <NamedIcon kind={named.kind} />
          <span className="search-title">{named.title || t("library.folder_untitled")}</span>
          <span className="search-about">{t(`library.${named.label ?? named.kind}`)}</span>
        </>
      )}
      {found && (
        <>
          <LibraryItemIcon kind={iconKinds[found.kind]} emoji={null} />
          <span className="search-words">
            <HitText text={found.text} query={query} />
            <span className="search-about">
              {[found.title || t("common.untitled"), describeLocation(found)].filter(Boolean).join(" · ")}
            </span>
          </span>
        </>
      )}
    </li>
  );
});

function HitText({ text, query }: { text: string; query: string }) {
  const segments = useMemo(() => {
    const { words } = parseSearchQuery(query, 0);
    return highlightMatches(cutSnippet(text, words), words);
  }, [text, query]);
  return (
    <span className="search-text">
      {segments.map((segment, index) =>
        // The pieces of a text have no identity but their index.
        segment.isMatch ? <mark key={index}>{segment.text}</mark> : <span key={index}>{segment.text}</span>,
      )}
    </span>
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
