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
