import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import type { PodcastLine, PodcastSource } from "#shared/podcasts/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { openCitation, openDocumentAt } from "#webapp/library/citation-navigation.ts";

/** The place of a line's words in its source, and how to open it. */
export interface LineMark {
  place: string;
  label: string;
  openLabel: string;
  open: () => void;
}

function snapshotMark({ sessionId, n, quote }: NonNullable<PodcastLine["snapshot"]>, title: string): LineMark {
  const query = new URLSearchParams({ source: String(n), quote });
  return {
    place: t("podcasts.source_number", { n }),
    label: t("podcasts.source_label", { n, title }),
    openLabel: t("podcasts.open_source", { n }),
    open: () => openDocumentAt(`${screenPath("researchSession", { id: sessionId })}?${query}`),
  };
}

/** The mark of a line of the guest; undefined for a line without one. */
export function markOf(
  { citation: text, snapshot }: Pick<PodcastLine, "citation" | "snapshot">,
  sources: readonly PodcastSource[],
): LineMark | undefined {
  const titleOf = (id: string) => sources.find((source) => source.id === id)?.title ?? "";
  if (snapshot) return snapshotMark(snapshot, titleOf(snapshot.sessionId));
  const citation = text === null ? undefined : parseCitation(text);
  if (citation?.type === "pdf_citation") {
    const { page, componentId } = citation;
    return {
      place: t("podcasts.page", { page }),
      label: t("podcasts.page_label", { page, title: titleOf(componentId) }),
      openLabel: t("podcasts.open_page", { page }),
      open: () => openCitation(citation),
    };
  }
  if (citation?.type !== "video_citation") return undefined;
  const time = formatTimecode(citation.startMs);
  return {
    place: time,
    label: t("podcasts.time_label", { time, title: titleOf(citation.componentId) }),
    openLabel: t("podcasts.open_time", { time }),
    open: () => openCitation(citation),
  };
}
