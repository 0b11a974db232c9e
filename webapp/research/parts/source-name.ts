import { t } from "#shared/messages/translate.ts";
import type { CanvasSection, ResearchCitation, LedgerSource } from "#shared/research/schema.ts";
import { formatTimecode } from "#shared/video/rules.ts";

export const headingOf = ({ topic, heading }: CanvasSection): string =>
  topic === null ? heading : t(`research.heading_${topic}`);

/** The text on a citation badge: the source's number, and the page or time of the quote. */
export function formatResearchCitation({ page, startMs }: ResearchCitation, source: LedgerSource): string {
  const { n } = source;
  if (source.status === "abstract") return t("research.cite_abstract", { n });
  if (page !== null) return t("research.cite_page", { n, page });
  return startMs === null ? t("research.cite", { n }) : `${n} · ${formatTimecode(startMs)}`;
}

/** The address of a web source, with a `utm_source` parameter and the quoted words as a text fragment. */
export function webSourceHref(url: string, quote?: string): string {
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) return "";
  address.searchParams.set("utm_source", "lamplight");
  const words = quote?.split(/\s+/).slice(0, 8).join(" ");
  return words === undefined ? address.href : `${address.href}#:~:text=${encodeURIComponent(words)}`;
}
