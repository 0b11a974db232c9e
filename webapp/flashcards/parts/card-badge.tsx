import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { canOpenInApp, openCitation, webCitationHref } from "#webapp/library/citation-navigation.ts";
import { formatCitationLocation, nameOf } from "../card-source.tsx";

interface Props {
  /** The citation string that is stored on the card. */
  citation: string | null;
  /** File names by component id. */
  sources: ReadonlyMap<string, string>;
}

/** The badge of a card's source in a list. The quote appears on hover and focus. */
export function CardBadge({ citation: storedCitation, sources }: Props) {
  const citation = storedCitation === null ? undefined : parseCitation(storedCitation);
  if (!citation) return null;
  const place = formatCitationLocation(citation);
  const source = "componentId" in citation ? sources.get(citation.componentId) : undefined;
  const name = source ?? nameOf(citation);
  const href = webCitationHref(citation);
  const shownSource = href === undefined ? source : name;
  const onOpen = canOpenInApp(citation) ? () => openCitation(citation) : undefined;
  const label = t(href === undefined && !onOpen ? "study.cite_label" : "study.cite_open", { place, source: name });
  return (
    <CiteBadge
      place={place}
      label={label}
      quote={citation.quote ?? undefined}
      source={shownSource}
      href={href}
      onOpen={onOpen}
    />
  );
}
