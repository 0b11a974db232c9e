import { useNavigate } from "@tanstack/react-router";
import { citationAddress, parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import { CiteBadge } from "#shared/ui/cite-badge.tsx";

const MAX_TITLE = 28;
/** Tells the site where its reader came from, as the specification has it for citations of the web. */
const REFERRAL = "utm_source=lamplight";

const short = (title: string) => (title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title);

function webAddress(place: string): string {
  return `https://${place}${place.includes("?") ? "&" : "?"}${REFERRAL}`;
}

/** Where an answer's citation opens inside the product, or the web's own address. */
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

/** The badge behind a statement: its passage on hover and focus, its place on a press. */
export function Cited({ cited, pageOf }: { cited: AnswerCitation; pageOf: (deckId: string) => string | undefined }) {
  const navigate = useNavigate();
  const place = cited.place || short(cited.title);
  const label = cited.place === "" ? cited.title : t("tutor.quote_of", { place, title: cited.title });
  const address = addressOf(cited, pageOf);
  const shown = {
    place,
    label,
    quote: cited.quote,
    passage: cited.passage,
    source: cited.place === "" ? undefined : cited.title,
  };
  if (address?.startsWith("https://")) return <CiteBadge {...shown} href={address} />;
  if (address === undefined) return <CiteBadge {...shown} />;
  return <CiteBadge {...shown} onOpen={() => void navigate({ href: address })} />;
}
