import { useState } from "react";
import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { openCitation, opensHere } from "#webapp/library/citation-door.ts";
import { useHasChanged } from "#webapp/library/source-stands.ts";
import "./card-source.css";

type Citation = NonNullable<ReturnType<typeof parseCitation>>;

interface Props {
  /** As stored on the card. */
  citation: string | null;
  /** File names by component id. */
  sources: ReadonlyMap<string, string>;
  /** Shown at the end of the line. */
  note?: string | undefined;
  /** Show the quote without a click. */
  showsQuote?: boolean;
}

/** The source of a card's answer; a click opens the location with the quote highlighted. */
export function CardSource({ citation: written, sources, note, showsQuote = false }: Props) {
  const citation = written === null ? undefined : parseCitation(written);
  if (citation) return <Cited citation={citation} sources={sources} note={note} showsQuote={showsQuote} />;
  return note === undefined ? null : (
    <p className="card-source">
      <span className="card-source-note">{note}</span>
    </p>
  );
}

/** A click opens the location if it can be shown in the app; otherwise it shows the quote inline. */
function labelOf(citation: Citation) {
  if (opensHere(citation)) return "study.cite_open";
  return citation.quote === null ? "study.cite_label" : "study.cite_show";
}

interface CitedProps extends Omit<Props, "citation"> {
  citation: Citation;
  showsQuote: boolean;
}

function Cited({ citation, sources, note, showsQuote }: CitedProps) {
  const [isAsked, setAsked] = useState(false);
  const isOpen = isAsked || showsQuote;
  const source = "componentId" in citation ? sources.get(citation.componentId) : undefined;
  const name = source ?? t("study.cite_unnamed");
  const isPage = citation.type === "pdf_citation";
  const place = isPage ? t("study.cite_place", { page: citation.page }) : t("study.cite_note");
  const quote = citation.quote ?? undefined;
  const hasChanged = useHasChanged(citation);
  return (
    <>
      <p className="card-source">
        <CiteBadge
          place={place}
          label={t(labelOf(citation), { place, source: name })}
          quote={isOpen ? undefined : quote}
          source={source}
          onOpen={() => (opensHere(citation) ? openCitation(citation) : setAsked(!isAsked))}
        />
        {source !== undefined && <span className="card-source-name">{source}</span>}
        {note !== undefined && <span className="card-source-note">{note}</span>}
      </p>
      {hasChanged && <p className="card-source card-source-changed">{t("study.cite_changed")}</p>}
      {isOpen && quote !== undefined && (
        <blockquote className="card-quote">
          <span className="lit">{quote}</span>
        </blockquote>
      )}
    </>
  );
}
