import { citationAddress, type Citation } from "#shared/citations.ts";
import { goTo } from "#webapp/app/navigation.ts";

let hasNavigated = false;

/** Whether a citation can be opened inside the app. */
export const canOpenInApp = (citation: Citation): boolean => citationAddress(citation) !== undefined;

/** Opens the cited location with the quote highlighted. Going back returns to the current screen. */
export function openCitation(citation: Citation): void {
  const address = citationAddress(citation);
  if (address === undefined) return;
  hasNavigated = true;
  goTo(address);
}

/** Opens a document of the student at a page, which the path contains. */
export function openDocumentAt(path: string): void {
  hasNavigated = true;
  goTo(path);
}

/** Whether a citation or document was opened inside the app, so that going back stays in the app. */
export const hasInAppHistory = (): boolean => hasNavigated && history.length > 1;
