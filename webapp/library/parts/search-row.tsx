import { Folder, Zap } from "lucide-react";
import { memo, useMemo } from "react";
import type { Found } from "#shared/library/contract.ts";
import { markHits, snippet } from "#shared/library/matching.ts";
import { readQuery } from "#shared/library/query.ts";
import { t } from "#shared/messages/translate.ts";
import { clockOf } from "#shared/video/rules.ts";
import type { PlaceKind } from "../places.ts";
import { PlaceIcon } from "#webapp/ui/sidebar/place-icon.tsx";
import type { Named } from "../search-state.ts";

/** A search result, matched by name or by content. */
export interface SearchOption {
  key: string;
  run: () => void;
  named?: Named;
  found?: Found;
}

const iconKinds: Record<Found["kind"], PlaceKind> = { page: "page", deck: "deck", file: "pdf", video: "video" };

interface Props {
  id: string;
  option: SearchOption;
  index: number;
  query: string;
  isChosen: boolean;
  onGo: (option: SearchOption) => void;
  onPoint: (index: number) => void;
}

/** Memoised: many rows rerender on every key press. */
export const SearchRow = memo(function SearchRow({ id, option, index, query, isChosen, onGo, onPoint }: Props) {
  const { named, found } = option;
  return (
    // Combobox pattern: the focus stays in the field, which moves the active option.
    <li
      id={id}
      role="option"
      aria-selected={isChosen}
      className="search-option"
      onClick={() => onGo(option)}
      onPointerMove={() => onPoint(index)}
    >
      {named && (
        <>
          <NamedIcon kind={named.kind} />
          <span className="search-title">{named.title || t("library.folder_untitled")}</span>
          <span className="search-about">{t(`library.${named.called ?? named.kind}`)}</span>
        </>
      )}
      {found && (
        <>
          <PlaceIcon kind={iconKinds[found.kind]} emoji={null} />
          <span className="search-words">
            <HitText text={found.text} query={query} />
            <span className="search-about">
              {[found.title || t("common.untitled"), placeOf(found)].filter(Boolean).join(" · ")}
            </span>
          </span>
        </>
      )}
    </li>
  );
});

function HitText({ text, query }: { text: string; query: string }) {
  const pieces = useMemo(() => {
    const { words } = readQuery(query, 0);
    return markHits(snippet(text, words), words);
  }, [text, query]);
  return (
    <span className="search-text">
      {pieces.map((piece, at) =>
        // The pieces of a text have no identity but their index.
        piece.isHit ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
      )}
    </span>
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
