import { citationAddress, type Citation } from "#shared/citations.ts";
import type { LedgerSource } from "#shared/research/schema.ts";
import type { Content } from "#webapp/library/content.ts";

/** Whether the library still has what a citation points at; true until the library is loaded. */
function isInLibrary(citation: Citation, content: Content): boolean {
  if (content.state !== "ready") return true;
  if (citation.type === "page_citation")
    return content.pages.some(({ _id, archived }) => _id === citation.pageId && !archived);
  if (citation.type === "web_citation") return false;
  return content.components.some(({ _id, isArchived }) => _id === citation.componentId && !isArchived);
}

/**
 * Whether a citation can be opened in the app. Where the source was deleted, or a re-check found that its text has changed,
 * only the stored text has the quoted words.
 */
export const canOpenCited = (citation: Citation, { recheck }: LedgerSource, content: Content): boolean =>
  citationAddress(citation) !== undefined &&
  recheck?.state !== "gone" &&
  recheck?.state !== "changed" &&
  isInLibrary(citation, content);
