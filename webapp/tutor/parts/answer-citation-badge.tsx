import { type Citation, citationAddress, parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { formatTimecode } from "#shared/video/rules.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { webCitationHref } from "#webapp/library/citation-navigation.ts";

const MAX_TITLE_CHARS = 28;

const shortenTitle = (title: string) =>
  title.length > MAX_TITLE_CHARS ? `${title.slice(0, MAX_TITLE_CHARS - 1)}…` : title;

/** The in-app path of a citation, or the address of a web page. */
export function citationHref(
  { citation }: Pick<AnswerCitation, "citation">,
  pageOf: (deckId: string) => string | undefined,
) {
  const parsed = parseCitation(citation);
  if (!parsed) return undefined;
  if (parsed.type === "web_citation") return webCitationHref(parsed);
  if (parsed.type === "flashcard_citation") {
    const pageId = pageOf(parsed.componentId);
    return pageId === undefined ? undefined : screenPath("page", { id: pageId });
  }
  return citationAddress(parsed);
}

/** The location within the source in the interface language; the server's text is English. */
export function formatLocation(citation: Citation): string {
  if (citation.type === "pdf_citation") return t("study.cite_place", { page: citation.page });
  if (citation.type === "video_citation") return formatTimecode(citation.startMs);
  return citation.type === "web_citation" ? (citation.location.split("/")[0] ?? "") : "";
}

/** The location of a citation; empty if its source has none. */
export function formatAnswerLocation({ citation, place }: AnswerCitation): string {
  const parsed = place === "" ? undefined : parseCitation(citation);
  return (parsed && formatLocation(parsed)) || place;
}

/** Citation badge: shows the passage on hover and focus, opens the location on press. */
export function AnswerCitationBadge({
  cited,
  namesSource = false,
  pageOf,
}: {
  cited: AnswerCitation;
  /** Shows the title next to the location, for answers from several sources. */
  namesSource?: boolean;
  pageOf: (deckId: string) => string | undefined;
}) {
  const locationText = formatAnswerLocation(cited);
  const shortTitle = shortenTitle(cited.title);
  const place = namesSource && locationText !== "" ? `${shortTitle}, ${locationText}` : locationText || shortTitle;
  const label = locationText === "" ? cited.title : t("tutor.quote_of", { place: locationText, title: cited.title });
  const address = citationHref(cited, pageOf);
  const badgeProps = {
    place,
    label,
    quote: cited.quote,
    passage: cited.passage,
    source: locationText === "" ? undefined : cited.title,
  };
  if (address?.startsWith("https://")) return <CiteBadge {...badgeProps} href={address} />;
  if (address === undefined) return <CiteBadge {...badgeProps} />;
  return <CiteBadge {...badgeProps} onOpen={() => goTo(address)} />;
}
