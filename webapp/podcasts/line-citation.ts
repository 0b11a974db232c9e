import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import type { PodcastLine, PodcastSource } from "#shared/podcasts/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { openCitation, openDocumentAt } from "#webapp/library/citation-navigation.ts";

/** The position in a source that a line quotes, with labels and a function that opens it. */
export interface LineCitation {
  place: string;
  label: string;
  openLabel: string;
  open: () => void;
}

function createSnapshotCitation(
  { sessionId, n, quote }: NonNullable<PodcastLine["snapshot"]>,
  title: string,
): LineCitation {
  const query = new URLSearchParams({ source: String(n), quote });
  return {
    place: t("podcasts.source_number", { n }),
    label: t("podcasts.source_label", { n, title }),
    openLabel: t("podcasts.open_source", { n }),
    open: () => openDocumentAt(`${screenPath("researchSession", { id: sessionId })}?${query}`),
  };
}

/** The citation of a line; undefined for a line without a citation. */
export function findLineCitation(
  { citation: text, snapshot }: Pick<PodcastLine, "citation" | "snapshot">,
  sources: readonly PodcastSource[],
): LineCitation | undefined {
  const titleOf = (id: string) => sources.find((source) => source.id === id)?.title ?? "";
  if (snapshot) return createSnapshotCitation(snapshot, titleOf(snapshot.sessionId));
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
