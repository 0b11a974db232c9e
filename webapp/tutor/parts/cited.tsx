import { useNavigate } from "@tanstack/react-router";
import { type Citation, citationAddress, parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { clockOf } from "#shared/video/rules.ts";

const MAX_TITLE = 28;
/** Referral parameter that the specification requires for web citations. */
const REFERRAL = "utm_source=lamplight";

const short = (title: string) => (title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title);

function webAddress(place: string): string {
  return `https://${place}${place.includes("?") ? "&" : "?"}${REFERRAL}`;
}

/** The in-app path of a citation, or the address of a web page. */
export function addressOf(
  { citation }: Pick<AnswerCitation, "citation">,
  pageOf: (deckId: string) => string | undefined,
) {
  const parsed = parseCitation(citation);
  if (!parsed) return undefined;
  if (parsed.type === "web_citation") return webAddress(parsed.place);
  if (parsed.type === "flashcard_citation") {
    const pageId = pageOf(parsed.componentId);
    return pageId === undefined ? undefined : screenPath("page", { id: pageId });
  }
  return citationAddress(parsed);
}

/** The location within the source in the interface language; the server's text is English. */
export function placeIn(citation: Citation): string {
  if (citation.type === "pdf_citation") return t("study.cite_place", { page: citation.page });
  if (citation.type === "video_citation") return clockOf(citation.startMs);
  return citation.type === "web_citation" ? (citation.place.split("/")[0] ?? "") : "";
}

/** The location of a citation; empty if its source has none. */
export function placeHere({ citation, place }: AnswerCitation): string {
  const parsed = place === "" ? undefined : parseCitation(citation);
  return (parsed && placeIn(parsed)) || place;
}

/** Citation badge: shows the passage on hover and focus, opens the location on press. */
export function Cited({ cited, pageOf }: { cited: AnswerCitation; pageOf: (deckId: string) => string | undefined }) {
  const navigate = useNavigate();
  const own = placeHere(cited);
  const place = own || short(cited.title);
  const label = own === "" ? cited.title : t("tutor.quote_of", { place, title: cited.title });
  const address = addressOf(cited, pageOf);
  const shown = {
    place,
    label,
    quote: cited.quote,
    passage: cited.passage,
    source: own === "" ? undefined : cited.title,
  };
  if (address?.startsWith("https://")) return <CiteBadge {...shown} href={address} />;
  if (address === undefined) return <CiteBadge {...shown} />;
  return <CiteBadge {...shown} onOpen={() => void navigate({ href: address })} />;
}
