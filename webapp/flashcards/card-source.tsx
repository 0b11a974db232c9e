import { useState } from "react";
import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { openCitation, canOpenInApp, webCitationHref } from "#webapp/library/citation-navigation.ts";
import { useSourceChanged } from "#webapp/library/use-source-changed.ts";
import "./card-source.css";

type Citation = NonNullable<ReturnType<typeof parseCitation>>;

interface Props {
  /** The citation string that is stored on the card. */
  citation: string | null;
  /** File names by component id. */
  sources: ReadonlyMap<string, string>;
  /** Shown at the end of the line. */
  note?: string | undefined;
  /** Whether to show the quote without a click. */
  showsQuote?: boolean;
}

/** The source of a card's answer. A click opens the location with the quote highlighted. */
export function CardSource({ citation: storedCitation, sources, note, showsQuote = false }: Props) {
  const citation = storedCitation === null ? undefined : parseCitation(storedCitation);
  if (citation) return <CitedSource citation={citation} sources={sources} note={note} showsQuote={showsQuote} />;
  return note === undefined ? null : (
    <p className="card-source">
      <span className="card-source-note">{note}</span>
    </p>
  );
}

/** The label says whether a click opens the location or shows the quote. */
function labelKeyOf(citation: Citation) {
  if (canOpenInApp(citation) || webCitationHref(citation) !== undefined) return "study.cite_open";
  return citation.quote === null ? "study.cite_label" : "study.cite_show";
}

/** The short location on the badge: "p. 4", "13:58", "example.org" or "note". */
export function formatCitationLocation(citation: Citation): string {
  if (citation.type === "pdf_citation") return t("study.cite_place", { page: citation.page });
  if (citation.type === "video_citation") return formatTimecode(citation.startMs);
  const host = citation.type === "web_citation" ? citation.location.split("/")[0] : "";
  return host || t("study.cite_note");
}

/** What a source without a file is called: the address of a web page, or "Source". */
export const nameOf = (citation: Citation): string =>
  citation.type === "web_citation" ? citation.location : t("study.cite_unnamed");

interface CitedSourceProps extends Omit<Props, "citation"> {
  citation: Citation;
  showsQuote: boolean;
}

function CitedSource({ citation, sources, note, showsQuote }: CitedSourceProps) {
  const [isExpanded, setExpanded] = useState(false);
  const isOpen = isExpanded || showsQuote;
  const source = "componentId" in citation ? sources.get(citation.componentId) : undefined;
  const location = formatCitationLocation(citation);
  const quote = citation.quote ?? undefined;
  const href = webCitationHref(citation);
  const hasChanged = useSourceChanged(citation);
  return (
    <>
      <p className="card-source">
        <CiteBadge
          place={location}
          label={t(labelKeyOf(citation), { place: location, source: source ?? nameOf(citation) })}
          quote={isOpen ? undefined : quote}
          source={source}
          href={href}
          onOpen={() => (canOpenInApp(citation) ? openCitation(citation) : setExpanded(!isExpanded))}
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
